import { connect } from 'node:net';

const WARM_UP_MS = 1000;

/**
 * Sends the same GET request over and over on kept-alive connections and counts responses. Raw sockets, because the HTTP
 * client of Node uses as much processor time as the server that it measures.
 */
export class HttpLoad {
  /** @param connections how many requests are in flight at most. */
  constructor({ url, connections = 16 }) {
    const { host, hostname, port, pathname, search } = new URL(url);
    this.request = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\n\r\n`;
    this.connections = Array.from({ length: connections }, () => new Connection(hostname, Number(port)));
  }

  /** @returns the most responses per second. */
  async most(milliseconds) {
    await this.forAsLongAs(WARM_UP_MS);
    const began = performance.now();
    const { length } = await this.forAsLongAs(milliseconds);
    return length / ((performance.now() - began) / 1000);
  }

  /**
   * Requests at a fixed rate, whether or not earlier ones have been responded to.
   * @returns milliseconds of each, from the time at which it was due.
   */
  async paced(perSecond, milliseconds) {
    const took = [];
    const waiting = [];
    const idle = [...this.connections];
    const began = performance.now();
    const total = (perSecond * milliseconds) / 1000;
    let due = 0;
    await new Promise((resolve, reject) => {
      const next = () => {
        while (idle.length > 0 && waiting.length > 0) {
          const connection = idle.pop();
          const at = waiting.shift();
          connection.send(this.request).then(() => {
            took.push(performance.now() - at);
            idle.push(connection);
            if (took.length === total) resolve();
            else next();
          }, reject);
        }
      };
      const tick = () => {
        const now = performance.now() - began;
        for (; due < total && (due * 1000) / perSecond <= now; due += 1)
          waiting.push(began + (due * 1000) / perSecond);
        next();
        if (due < total) setTimeout(tick, 1);
      };
      tick();
    });
    return took;
  }

  close() {
    for (const connection of this.connections) connection.close();
  }

  /** One after the other, on the first connection. @returns milliseconds of each. */
  async times(count) {
    const took = [];
    for (let sent = 0; sent < count; sent += 1) {
      const began = performance.now();
      await this.connections[0].send(this.request);
      took.push(performance.now() - began);
    }
    return took;
  }

  /** As many as the server responds to in a time. @returns milliseconds of each. */
  async forAsLongAs(milliseconds) {
    const until = performance.now() + milliseconds;
    const took = [];
    await Promise.all(
      this.connections.map(async (connection) => {
        for (let began = performance.now(); began < until; began = performance.now()) {
          await connection.send(this.request);
          took.push(performance.now() - began);
        }
      }),
    );
    return took;
  }
}

class Connection {
  text = '';
  /** Bytes of the response that are still to come, once its headers are there. */
  left = undefined;
  pending = undefined;

  constructor(host, port) {
    this.socket = connect(port, host);
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => this.receive(chunk));
    this.socket.on('error', (error) => this.pending?.reject(error));
    this.socket.on('close', () => this.pending?.reject(new Error('the server closed the connection')));
  }

  send(request) {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.socket.write(request);
    });
  }

  close() {
    this.pending = undefined;
    this.socket.destroy();
  }

  /** Does not decode a body whose length is known: 150 kB take the client as long as the server. */
  receive(chunk) {
    if (this.left === undefined) this.receiveText(chunk.latin1Slice());
    else this.left -= chunk.length;
    if (this.left === 0) this.end();
  }

  receiveText(chunk) {
    this.text += chunk;
    const end = this.text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.text.slice(0, end))?.[1];
    if (length !== undefined) this.left = end + 4 + Number(length) - this.text.length;
    else if (this.text.endsWith('\r\n0\r\n\r\n')) this.left = 0;
  }

  end() {
    const { text, pending } = this;
    this.text = '';
    this.left = undefined;
    this.pending = undefined;
    if (text.startsWith('HTTP/1.1 200 ')) pending.resolve();
    else pending.reject(new Error(text.slice(0, 1000)));
  }
}
