// Calls kernels of a WebAssembly module: `node wasm.mjs MODULE`, a call a line on standard input, an answer a line.
// A call is {name, row, blocks}: the row of words and the arrays that they point to, in base64; an array's address is
// written to the words `places` of the row. The answer is {status, row, blocks}, as they are after the call.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const PAGE = 65536;
const STACK = 16 * PAGE;
const memory = new WebAssembly.Memory({ initial: 512 });
const bytes = () => new Uint8Array(memory.buffer);
const env = {
  memory,
  memset: (to, value, size) => (bytes().fill(value, to, to + size), to),
  memcpy: (to, from, size) => (bytes().copyWithin(to, from, from + size), to),
  memmove: (to, from, size) => (bytes().copyWithin(to, from, from + size), to),
};
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
// What a loader gives: the end of the stack, and where the module's own memory begins.
env.__stack_pointer = new WebAssembly.Global({ value: "i32", mutable: true }, STACK);
env.__memory_base = new WebAssembly.Global({ value: "i32" }, STACK);
env.__table_base = new WebAssembly.Global({ value: "i32" }, 0);
const kernels = new WebAssembly.Instance(module, { env }).exports;
const HEAP = STACK + 16 * PAGE; // the module's own memory takes some kilobytes

function call({ name, row, blocks }) {
  let end = HEAP;
  const place = (content) => {
    const at = (end + 63) & ~63;
    end = at + content.length;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    bytes().set(content, at);
    return { at, size: content.length };
  };
  const text = ({ at, size }) => Buffer.from(memory.buffer, at, size).toString("base64");
  const words = place(Buffer.from(row, "base64"));
  const placed = blocks.map(({ places, content }) => {
    const block = place(Buffer.from(content, "base64"));
    const view = new DataView(memory.buffer, words.at);
    for (const word of places) view.setBigInt64(8 * word, BigInt(block.at), true);
    return block;
  });
  const status = kernels[`satdoku_${name}_wasm32`](words.at);
  return { status, row: text(words), blocks: placed.map(text) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(call(JSON.parse(line))) + "\n");
}
