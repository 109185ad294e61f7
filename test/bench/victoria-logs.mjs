import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const READY_MS = 20_000;

/** A single-node VictoriaLogs for a bench, with its data in a folder. */
export class VictoriaLogs {
  constructor(child, url) {
    this.child = child;
    this.url = url;
  }

  static async start(program, folder) {
    const port = await freePort();
    const options = [
      `-storageDataPath=${folder}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=100y',
      '-futureRetention=100y',
      '-loggerLevel=ERROR',
    ];
    const server = new VictoriaLogs(
      spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] }),
      `http://127.0.0.1:${port}`,
    );
    for (const end = performance.now() + READY_MS; ; await delay(50)) {
      if (
        await fetch(`${server.url}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return server;
      if (performance.now() > end || server.child.exitCode !== null)
        throw new Error('VictoriaLogs did not start');
    }
  }

  /** @param lines `{ time, text, level }`, times in microseconds */
  async insert(lines) {
    const body = lines
      .map(({ time, text, level }) =>
        JSON.stringify({ _time: String(time * 1000), _msg: text, level: level ?? 'none', source: 'big' }),
      )
      .join('\n');
    const { ok, status } = await fetch(`${this.url}/insert/jsonline?_stream_fields=source`, {
      method: 'POST',
      body,
    });
    if (!ok) throw new Error(`VictoriaLogs refused lines: ${status}`);
  }

  /** Makes all lines readable, and waits until no parts are merged any more. */
  async settled() {
    await fetch(`${this.url}/internal/force_flush`);
    await fetch(`${this.url}/internal/force_merge`);
    for (let quiet = 0; quiet < 5; await delay(500)) {
      const metrics = await (await fetch(`${this.url}/metrics`)).text();
      const active = [...metrics.matchAll(/^vl_active_merges\S* (\d+)/gm)];
      quiet = active.every(([, count]) => count === '0') ? quiet + 1 : 0;
    }
  }

  /** @returns the number of lines that a LogsQL filter selects, and the time that took */
  async count(filter) {
    const began = performance.now();
    const response = await fetch(`${this.url}/select/logsql/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: `${filter} | stats count() n` }),
    });
    const text = await response.text();
    const ms = performance.now() - began;
    if (!response.ok) throw new Error(text);
    return { ms, matched: Number(JSON.parse(text).n) };
  }

  async stop() {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

async function freePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
