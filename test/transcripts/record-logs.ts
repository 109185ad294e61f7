import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver, type RealEngine } from './record-engine.js';
import {
  LOG_SITUATIONS,
  packed,
  type LogSituationName,
  type LogTranscript,
  type RecordedLog,
} from './recorded-logs.js';
import { WireProxy } from './wire-proxy.js';

const execute = promisify(execFile);

/**
 * Lets containers of a real engine write, reads their logs as the product does, and returns what came over the wire.
 * Leaves nothing behind.
 */
export async function recordLogs(
  { engine, socket, nodeImage }: RealEngine,
  folder: string,
): Promise<LogTranscript> {
  const proxy = await WireProxy.start(join(folder, `${engine}-logs.sock`), socket);
  const remote = engine === 'podman' ? ['--remote', `--url=unix://${socket}`] : [`--host=unix://${socket}`];
  const cli = async (...args: string[]): Promise<string> =>
    (await execute(engine, [...remote, ...args])).stdout.trim();
  const made: string[] = [];
  try {
    const driver = await openDriver(engine, proxy.socket, socket);
    const { version } = await driver.probe();
    const record = async (situation: LogSituationName): Promise<RecordedLog> => {
      const { script, ...more } = LOG_SITUATIONS[situation];
      const name = `rec-logs-${situation}`;
      const flags = [...('flags' in more ? more.flags[engine] : []), ...(more.terminal ? ['--tty'] : [])];
      made.push(name);
      await cli(
        'run',
        '--detach',
        `--name=${name}`,
        ...flags,
        '--entrypoint=/bin/sh',
        nodeImage,
        '-c',
        script,
      );
      await cli('wait', name);
      const id = await cli('inspect', '--format', '{{.Id}}', name);
      const format = await driver.logs.format(id);
      const before = proxy.connections.length;
      const start = { since: null, tail: 1000 };
      let lines = 0;
      for await (const pieces of driver.logs.open(id, format, start, AbortSignal.timeout(30_000))) {
        lines += pieces.length;
      }
      if (lines === 0) throw new Error(`nothing came of "${situation}"`);
      // Podman 4 is asked twice: for what there is, and for what follows it.
      const asked = proxy.connections.slice(before).map(({ asked: bytes, answered }) => ({
        request: /^(GET \S+\/logs\?\S+) HTTP/.exec(Buffer.concat(bytes).toString('latin1'))?.[1],
        answer: Buffer.concat(answered),
      }));
      const first = asked.find(({ request }) => request !== undefined);
      if (first?.request === undefined) throw new Error(`nobody asked for "${situation}"`);
      const body = first.answer.subarray(first.answer.indexOf('\r\n\r\n') + 4);
      return { situation, request: first.request.replace(id, '{container}'), body: packed(body) };
    };
    const logs: RecordedLog[] = [];
    for (const situation of Object.keys(LOG_SITUATIONS) as LogSituationName[]) {
      logs.push(await record(situation));
    }
    return { engine, recorded: version, logs };
  } finally {
    if (made.length > 0) await cli('rm', '--force', ...made).catch(() => undefined);
    await proxy.stop();
  }
}
