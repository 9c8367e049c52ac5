// Elements in one call: h for HTML, s for SVG; $ finds one by its id, `on` listens to it, `set` gives it attributes.
export const $ = (id) => document.getElementById(id);
export const on = (id, type, action) => $(id).addEventListener(type, action);
export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => (
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children));

/** Set the attributes that have other values: one that is set to what it was is laid out and painted again, too. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

function filled(element, attributes = {}, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element[name] = value;
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(Boolean));
  return element;
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
