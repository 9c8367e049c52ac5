// The server: requests and the socket, with the token. The address brings it once; the browser keeps it for this port.
const KEY = "satdoku:token";
const brought = new URLSearchParams(location.hash.slice(1)).get("token");
if (brought) {
  localStorage.setItem(KEY, brought);
  history.replaceState(null, "", location.pathname);
}
addEventListener("hashchange", () => location.reload()); // the address was opened again in this tab
const token = () => localStorage.getItem(KEY) || "none";

export const request = (address, { headers, ...more } = {}) => (
  fetch(address, { ...more, headers: { ...headers, "X-Satdoku-Token": token() } }));
export const connect = () => new WebSocket(`${location.origin.replace("http", "ws")}/live`, ["satdoku", token()]);

/** What an address answers in JSON; throws the error that the server tells. */
export async function json(address) {
  const answer = await request(address);
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.error);
  return reply;
}
