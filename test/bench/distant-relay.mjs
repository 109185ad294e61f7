import { execFileSync } from 'node:child_process';
import { connect, createServer } from 'node:net';

/**
 * A TCP relay on this machine that makes a server distant: data of each direction arrives later, and a connection takes
 * a round trip before its first byte.
 */
export class DistantRelay {
  connections = 0;
  bytes = 0;
  sockets = new Set();

  /** @param delayMs of one direction */
  static async start(target, delayMs) {
    const relay = new DistantRelay();
    relay.server = createServer((client) => relay.accept(client, target, delayMs));
    relay.server.listen(0, '127.0.0.1');
    await new Promise((resolve, reject) => relay.server.once('listening', resolve).once('error', reject));
    relay.port = relay.server.address().port;
    return relay;
  }

  /** Drops a share of the packets from and to the relay while `work` runs. Needs root. */
  async withLoss(share, work) {
    const rules = ['--destination-port', '--source-port'].map((side) => [
      ...['INPUT', '--in-interface', 'lo', '--protocol', 'tcp', side, String(this.port)],
      ...['--match', 'statistic', '--mode', 'random', '--probability', String(share), '--jump', 'DROP'],
    ]);
    const added = [];
    const remove = () => {
      for (const rule of added.splice(0)) execFileSync('iptables', ['--wait', '--delete', ...rule]);
    };
    const end = () => process.exit(1);
    process.once('exit', remove).once('SIGINT', end).once('SIGTERM', end);
    try {
      for (const rule of rules) {
        execFileSync('iptables', ['--wait', '--append', ...rule], { stdio: ['ignore', 'ignore', 'pipe'] });
        added.push(rule);
      }
      return await work();
    } finally {
      remove();
      process.off('exit', remove).off('SIGINT', end).off('SIGTERM', end);
    }
  }

  async stop() {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  accept(client, target, delayMs) {
    this.connections += 1;
    const server = connect(target);
    this.pass(client, server, delayMs, performance.now() + 2 * delayMs);
    this.pass(server, client, delayMs, 0);
  }

  pass(from, to, delayMs, notBefore) {
    this.sockets.add(from);
    from.setNoDelay(true);
    // Timers of the same time run in the order in which they were set.
    const later = (action) =>
      setTimeout(action, Math.ceil(Math.max(0, notBefore - performance.now()) + delayMs));
    let ready = Promise.resolve();
    const inOrder = (action) => {
      const due = new Promise((resolve) => later(resolve));
      ready = ready.then(() => due).then(action);
    };
    from.on('data', (chunk) => {
      this.bytes += chunk.length;
      inOrder(() => to.writable && to.write(chunk));
    });
    from.on('end', () => inOrder(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      inOrder(() => to.destroy());
    });
  }
}

/** A server that accepts connections and never responds. */
export async function silentServer() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  return {
    port: server.address().port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
