import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { DataDirectory } from '../../backend/src/core/storage/data-directory.js';
import { DemoRuntimeDriver } from '../../backend/src/drivers/demo/demo-runtime-driver.js';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import type { LogPiece, RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import { frame, type ScriptedLogs, type ScriptedProgram } from '../support/engine/scripted-logs.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { waitFor } from '../support/wait-for.js';
import {
  containerLogsContract,
  engineLogsContract,
  type ContainerLogsUnderTest,
  type WrittenContainers,
} from './ports/container-logs.contract.js';
import { driverOf } from './support/drivers.js';

const JOURNAL = ['journalctl', '--follow', '--output=json', '--no-pager', '--lines=100', '--unit=kubelet'];
const ENGINES = ['docker', 'podman'] as const;
const TIME = '2026-11-22T13:35:05.123456789Z ';

describe('the demo', () => {
  containerLogsContract(startDemo);

  it('returns the journal of a node from a cursor', async () => {
    const { logs, start, stop } = await startDemo();
    const { id } = await start('demo-worker');
    const read = async (command: string[], count: number): Promise<Record<string, string>[]> => {
      const lines: string[] = [];
      for await (const batch of logs.run(id, command, AbortSignal.timeout(8000))) {
        lines.push(...batch);
        if (lines.length >= count) break;
      }
      return lines.map((line) => JSON.parse(line) as Record<string, string>);
    };
    const [first, second] = await read(JOURNAL, 2);
    expect(first).toMatchObject({
      _SYSTEMD_UNIT: 'kubelet.service',
      PRIORITY: expect.stringMatching(/^[0-7]$/),
    });
    expect(Number(second?.['__REALTIME_TIMESTAMP'])).toBeGreaterThan(Number(first?.['__REALTIME_TIMESTAMP']));
    const after = await read([...JOURNAL, `--after-cursor=${first?.['__CURSOR'] ?? ''}`], 1);
    expect(after[0]).toEqual(second);
    await expect(read(['journalctl', '--nonsense'], 1)).rejects.toMatchObject({ code: 'log_unreadable' });
    await stop();
  });

  it('returns the same lines for the same time, and few lines per second', async () => {
    const { logs, stop } = await startDemo();
    const other = (await logs.list()).find(({ name }) => name === 'stripe-mock');
    const format = await logs.format(other?.id ?? '');
    const read = async (): Promise<LogPiece[]> => {
      for await (const batch of logs.open(
        other?.id ?? '',
        format,
        { since: null, tail: 5000 },
        AbortSignal.timeout(5000),
      )) {
        return batch;
      }
      return [];
    };
    const [once, twice] = [await read(), await read()];
    expect(once.length).toBeGreaterThan(1000);
    expect(once.length).toBeLessThanOrEqual(5000);
    const from = once.at(-100)?.time ?? 0;
    const since = (pieces: LogPiece[]): string[] =>
      pieces.filter(({ time }) => time >= from).map(({ data }) => data.toString());
    expect(since(twice).slice(0, 100)).toEqual(since(once));
    const seconds = ((once.at(-1)?.time ?? 0) - (once[0]?.time ?? 0)) / 1e6;
    expect(once.length / seconds).toBeLessThan(5);
    await stop();
  });
});

describe.each(ENGINES)('scripted %s', (engine) => {
  containerLogsContract(() => startScripted(engine));
  engineLogsContract(() => startWritten(engine));

  describe('unusual responses', () => {
    let machine: ScriptedMachine;
    let driver: RuntimeDriver;
    let scripted: ScriptedLogs;

    beforeEach(async () => {
      machine = await ScriptedMachine.start({ engines: [engine] });
      driver = await driverOf(machine, engine);
      await driver.probe();
      scripted = machine.engine(engine).logs;
    });

    afterEach(async () => {
      await machine.close();
    });

    const line = (text: string): Buffer => frame('stdout', Buffer.from(`${TIME}${text}\n`));
    const read = async (
      raw: Iterable<Buffer>,
      more: { breaks?: boolean; tty?: boolean } = {},
    ): Promise<string[]> => {
      const { id } = scripted.add('raw', { raw, ...more });
      const texts: string[] = [];
      const format = { ...(await driver.logs.format(id)), wholeSecondTimes: false };
      const start = { since: null, tail: 10 };
      try {
        for await (const batch of driver.logs.open(id, format, start, AbortSignal.timeout(5000))) {
          for (const { data } of batch) texts.push(data.toString('utf8'));
        }
      } catch (error) {
        texts.push((error as { code: string }).code);
      }
      return texts;
    };

    it('are joined however they are split, also within a character', async () => {
      const whole = Buffer.concat([
        line('one é'),
        line('two €'),
        frame('stderr', Buffer.from(`${TIME}three\n`)),
      ]);
      const bytes = [...whole].map((byte) => Buffer.from([byte]));
      expect(await read(bytes)).toEqual(['one é\n', 'two €\n', 'three\n']);
      expect(await read([whole])).toEqual(['one é\n', 'two €\n', 'three\n']);
    });

    it('return the complete frames before an invalid header', async () => {
      const nonsense = Buffer.from('HTTP/1.1 200 OK\r\n\r\n');
      expect(await read([Buffer.concat([line('one'), nonsense])])).toEqual(['one\n', 'log_unreadable']);
      const endless = Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
      expect(await read([line('one'), endless, Buffer.alloc(1000)])).toEqual(['one\n', 'log_unreadable']);
      expect(await read([line('one'), line('two').subarray(0, 20)])).toEqual(['one\n', 'log_unreadable']);
    });

    it('pass on the error of the engine', async () => {
      const said = Buffer.from('error from daemon in stream: Error grabbing logs: unexpected EOF');
      const header = Buffer.from([3, 0, 0, 0, 0, 0, 0, said.length]);
      expect(await read([line('one'), Buffer.concat([header, said])])).toEqual(['one\n', 'log_unreadable']);
    });

    it('end when the engine disconnects', async () => {
      expect(await read([line('one')], { breaks: true })).toEqual(['one\n', 'runtime_unavailable']);
    });

    it('wait for a slow reader', async () => {
      const many = 200;
      const chunk = Buffer.concat(Array.from({ length: 1000 }, () => line('x'.repeat(200))));
      const { id } = scripted.add('flood', { raw: Array.from({ length: many }, () => chunk) });
      const format = { ...(await driver.logs.format(id)), wholeSecondTimes: false };
      let lines = 0;
      let sentMeanwhile = 0;
      for await (const batch of driver.logs.open(
        id,
        format,
        { since: null, tail: 1e6 },
        AbortSignal.timeout(20_000),
      )) {
        if (lines === 0) {
          let before = -1;
          // Until nothing more is taken.
          while (scripted.sentBytes !== before) {
            before = scripted.sentBytes;
            await delay(100);
          }
          sentMeanwhile = scripted.sentBytes;
        }
        lines += batch.length;
      }
      expect(lines).toBe(many * 1000);
      expect(sentMeanwhile).toBeLessThan(8e6);
      expect(scripted.sentBytes).toBe(many * chunk.length);
    }, 30_000);

    it('do not block other calls, however many logs are followed', async () => {
      const following = new AbortController();
      const ids = Array.from(
        { length: 80 },
        (_, index) => scripted.add(`many-${index}`, { running: true }).id,
      );
      const format = await driver.logs.format(ids[0] ?? '');
      let open = 0;
      const all = ids.map(async (id) => {
        scripted.write(id, 'hello\n');
        for await (const batch of driver.logs.open(id, format, { since: null, tail: 1 }, following.signal)) {
          open += batch.length;
        }
      });
      await waitFor(() => open === ids.length, 'all of them');
      await driver.ping();
      following.abort();
      await Promise.all(all);
    });

    it('report why a program failed', async () => {
      const { id } = scripted.add('runs', { running: true });
      const program = {
        stdout: ['{"a":', '1}\n{"b":2}\nrest'],
        stderr: 'no such unit\n',
        exitCode: 1,
        running: 0,
      };
      scripted.programs.set('journalctl', program);
      const lines: string[] = [];
      const run = async (): Promise<void> => {
        for await (const batch of driver.logs.run(id, ['journalctl'], AbortSignal.timeout(5000))) {
          lines.push(...batch);
        }
      };
      await expect(run()).rejects.toMatchObject({
        code: 'log_unreadable',
        message: expect.stringContaining('journalctl exited with status 1: no such unit') as unknown,
      });
      expect(lines).toEqual(['{"a":1}', '{"b":2}', 'rest']);
    });
  });
});

async function startDemo(): Promise<ContainerLogsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const configuration = readConfiguration({ APP_DATA_DIR: folder, APP_DEMO_SPEED: '1000' });
  const world = new DemoWorld(configuration, DataDirectory.open(configuration));
  let runs = 0;
  const { logs } = new DemoRuntimeDriver(world);
  // Counted where it is read: no program really runs.
  const run = logs.run.bind(logs);
  logs.run = async function* (id, command, signal) {
    runs += 1;
    try {
      yield* run(id, command, signal);
    } finally {
      runs -= 1;
    }
  };
  return {
    logs,
    start: async (name) => {
      await world.addNode({ name, cluster: 'contract', role: 'worker', image: 'kindest/node:v1', ports: [] });
      return {
        id: world.node(name).id,
        end: () => world.setState(name, 'exited', 'die'),
        remove: () => world.removeNodes(world.nodesOf('contract').map(({ id }) => id)),
      };
    },
    program: { command: JOURNAL, says: /^\{.*"MESSAGE":/, isRunning: () => Promise.resolve(runs > 0) },
    stop: () => rm(folder, { recursive: true }),
  };
}

async function startScripted(engine: (typeof ENGINES)[number]): Promise<ContainerLogsUnderTest> {
  const machine = await ScriptedMachine.start({ engines: [engine] });
  const { world, logs: scripted, requests } = machine.engine(engine);
  const driver = await driverOf(machine, engine);
  await driver.probe();
  const program: ScriptedProgram = { stdout: ['{"MESSAGE":"a"}\n{"MESSAGE":', '"b"}\n'], running: 0 };
  scripted.programs.set(JOURNAL.join(' '), program);
  return {
    logs: driver.logs,
    start: async (name) => {
      await waitFor(() => requests.some((request) => request.includes(' /events')), 'a follower');
      const volume = world.addVolume(name);
      const node = world.addNode({
        name,
        cluster: 'c',
        role: 'worker',
        image: 'kindest/node:v1',
        port: null,
        volume,
      });
      for (const text of ['one', 'two', 'three']) scripted.write(node.id, `${text}\n`);
      return {
        id: node.id,
        end: () => {
          world.kill(name);
          return Promise.resolve();
        },
        remove: () => {
          world.remove(node);
          return Promise.resolve();
        },
      };
    },
    program: {
      command: JOURNAL,
      says: /^\{"MESSAGE":"[ab]"\}$/,
      isRunning: () => Promise.resolve(program.running > 0),
    },
    stop: () => machine.close(),
  };
}

async function startWritten(engine: (typeof ENGINES)[number]): Promise<WrittenContainers> {
  const machine = await ScriptedMachine.start({ engines: [engine] });
  const { logs: scripted } = machine.engine(engine);
  const driver = await driverOf(machine, engine);
  await driver.probe();
  const [long, mixed, terminal, longTerminal, none] = [
    scripted.add('long'),
    scripted.add('mixed'),
    scripted.add('terminal', { tty: true }),
    scripted.add('long-terminal', { tty: true }),
    scripted.add('none', { driver: 'none' }),
  ].map(({ id }) => id) as [string, string, string, string, string];
  scripted.write(long, `${'x'.repeat(40_000)}\n`);
  scripted.write(long, 'after\n');
  scripted.write(mixed, 'out é€\n');
  scripted.write(mixed, 'err\n', 'stderr');
  scripted.write(terminal, 'one\r\n');
  scripted.write(terminal, 'two\r\n');
  scripted.write(longTerminal, `${'x'.repeat(40_000)}\r\n`);
  scripted.write(longTerminal, 'after\r\n');
  return { logs: driver.logs, long, mixed, terminal, longTerminal, none, stop: () => machine.close() };
}
