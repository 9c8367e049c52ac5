// The socket: one question at a time, each with a number; answers to earlier ones are dropped.
const MAX_WAIT = 5000; // milliseconds between attempts to connect

export class Live extends EventTarget {
  constructor() {
    super();
    this.number = 0;
    this.running = null; // the message that is being answered
    this.next = null; // what waits until the answer to "live" is complete
    this.wait = 250;
    this.#connect();
  }

  /** Ask for `what`; a new "live" replaces whatever runs, anything else waits for "live" to end. */
  ask(what, puzzle, more = {}) {
    const message = { ask: what, puzzle, ...more };
    if (this.running?.ask === "live" && what !== "live") this.next = message;
    else this.#send(message);
  }

  stop() {
    this.number += 1; // whatever still comes is dropped
    const stopped = this.running;
    this.running = null;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send('{"stop":true}');
    this.#tell("stop", stopped);
    this.#go();
  }

  #send(message) {
    this.next = null;
    this.number += 1;
    this.running = { id: this.number, ...message };
    this.#tell("ask", this.running);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(this.running));
  }

  #go() {
    if (this.next) this.#send(this.next);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #connect() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    this.socket.addEventListener("open", () => {
      this.wait = 250;
      this.#tell("online", true);
      if (this.running) this.socket.send(JSON.stringify(this.running));
    });
    this.socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.#tell("online", false);
      setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(2 * this.wait, MAX_WAIT);
    });
  }

  #hear(message) {
    if (message.id !== this.number) return;
    this.#tell(message.part ?? "error", message);
    if (message.part && message.part !== "done") return;
    const ended = this.running;
    this.running = null;
    this.#tell("end", ended);
    this.#go();
  }
}
