// Lines of text that one worker writes and another reads while both search, in memory that they share: in front stands how
// many bytes have been written.
const BYTES = 1 << 20; // a line that does not fit is not written, and none after it
const HEAD = 4;

export const channel = () => new SharedArrayBuffer(BYTES);

export function writer(memory) {
  const [length, bytes] = [new Int32Array(memory, 0, 1), new Uint8Array(memory, HEAD)];
  let [end, full] = [0, false];
  return (line) => {
    const text = new TextEncoder().encode(`${line}\n`);
    full ||= end + text.length > bytes.length;
    if (full) return;
    bytes.set(text, end);
    end += text.length;
    Atomics.store(length, 0, end);
  };
}

export function reader(memory) {
  const [length, bytes] = [new Int32Array(memory, 0, 1), new Uint8Array(memory, HEAD)];
  let read = 0;
  return () => {
    const [start, end] = [read, Atomics.load(length, 0)];
    read = end;
    return start === end ? "" : new TextDecoder().decode(bytes.slice(start, end));
  };
}
