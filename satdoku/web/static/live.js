// The socket: one question at a time, each with a number; answers to earlier ones are dropped.
import { connect, json } from "./server.js";

const FULL = ["candidates", "conflict"]; // the parts that complete an answer to "live", but for its counts
const WAIT = 1000; // milliseconds between attempts to connect
const LONG_WAIT = 5000; // the same where the server has refused

export class Live extends EventTarget {
  number = 0;
  running = null; // the message that is being answered
  refusal = ""; // why the server closed the socket, as far as it says so
  fault = ""; // why it refuses all else
  version = null; // of the server that the page came from
  next = null; // what waits for an answer to "live"

  constructor() {
    super();
    this.#connect();
  }

  get trouble() { return this.refusal || this.fault; }

  /** Ask for `what`; a new "live" replaces whatever runs, anything else waits for "live" to end. */
  ask(what, puzzle, more = {}) {
    this.next = { ask: what, puzzle, ...more };
    if (!["live", "strokes"].includes(this.running?.ask) || ["live", "strokes"].includes(what)) this.#send(this.next);
  }

  stop() {
    this.#write({ stop: true });
    this.#end("stop");
  }

  #send(message) {
    this.next = null;
    this.running = { id: (this.number += 1), ...message };
    this.#tell("ask", this.running);
    this.#write(this.running);
  }

  #write(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

  #end(type) {
    const ended = this.running;
    this.running = null;
    this.number += 1; // whatever still comes is dropped
    this.#tell(type, ended);
    if (this.next) this.#send(this.next);
  }

  #tell(type, detail = null) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  #connect() {
    this.socket = connect();
    this.socket.addEventListener("open", () => {
      if (this.lost) this.#look();
      this.#tell("online");
      if (this.running) this.#write(this.running);
    });
    this.socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", async ({ reason }) => {
      this.lost = true;
      this.refusal = reason;
      await this.#look();
      this.#tell("online");
      setTimeout(() => this.#connect(), this.trouble ? LONG_WAIT : WAIT);
    });
  }

  /** Why the server refuses, if it does; one of another version has another page. */
  async #look() {
    this.fault = "";
    try {
      const { version } = await json("/start");
      if (this.version && version !== this.version) location.reload();
    } catch (error) {
      if (!(error instanceof TypeError)) this.fault = error.message; // else there is no server
    }
  }

  #hear(message) {
    if (message.id !== this.number && message.id !== null) return;
    if (message.part !== "done") this.#tell(message.part ?? "error", message);
    if (!message.part || message.part === "done") this.#end("end");
    else if (this.next && FULL.includes(message.part)) this.#send(this.next);
  }
}
