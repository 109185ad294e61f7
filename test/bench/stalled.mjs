import { setTimeout as delay } from 'node:timers/promises';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ContainerWriter, writtenAt } from './container-writer.mjs';
import { Figure, medianOf, p95Of } from './figures.mjs';
import { LogBoardClient } from './log-board-client.mjs';
import { residentMegabytes } from './process-figures.mjs';
import { until } from './until.mjs';

const PASSWORD = 'correct horse battery staple';
/** The cost of one reader is within the noise of a heap of this size. */
const STALLED = 8;
const LOUD = 10_000;
const OTHER = 100;
/** The buffers of the sockets are full before memory is looked at. */
const SETTLE_SECONDS = 15;
const MEASURE_SECONDS = 10;
const SAMPLE_MS = 250;
/** More than the noise between two runs, and less than anybody sees. */
const LATER_MS = 25;

/**
 * Measures readers that follow a source of 10,000 lines/s and read nothing from their sockets: the memory of the server,
 * and the delay of a reader of the same and of another source, compared with a run without them.
 */
export async function stalled({ engine = 'docker' }) {
  const without = await load(engine, 0);
  const beside = await load(engine, STALLED);
  const summary = (ages) => `median ${medianOf(ages).toFixed(2)} ms, p95 ${p95Of(ages).toFixed(2)} ms`;
  const later = (what, source) =>
    new Figure({
      title: `${engine}, beside ${STALLED} stalled readers: p95 of a reader of ${what}, later than without them`,
      unit: 'ms',
      goal: LATER_MS,
      values: [p95Of(beside[source]) - p95Of(without[source])],
      versus: `with them ${summary(beside[source])}; without ${summary(without[source])}`,
    });
  return [
    new Figure({
      title: `${engine}, memory for each of ${STALLED} stalled readers`,
      unit: 'MB',
      goal: 16,
      values: [(medianOf(beside.memory) - medianOf(without.memory)) / STALLED],
      versus: `${medianOf(beside.memory).toFixed(0)} MB with them, ${medianOf(without.memory).toFixed(0)} MB without`,
    }),
    later('the same source', 'loud'),
    later('another source', 'other'),
    new Figure({
      title: `${engine}, beside ${STALLED} stalled readers: lines that others did not receive`,
      unit: 'lines',
      goal: 0,
      values: [beside.missed],
    }),
  ];
}

async function load(engine, count) {
  const server = await BuiltServer.startLogBoard({
    APP_RUNTIME: engine,
    APP_PASS: PASSWORD,
    APP_LOG_LEVEL: 'warn',
  });
  const clients = [];
  const writers = [];
  try {
    const board = await LogBoardClient.open(server.logBoardUrl, PASSWORD);
    clients.push(board);
    const seconds = SETTLE_SECONDS + MEASURE_SECONDS;
    for (const rate of [OTHER, LOUD]) writers.push(await ContainerWriter.start(engine, { rate, seconds }));
    const [other, loud] = writers;
    let missed = 0;
    const measured = { loud: [], other: [], memory: [] };
    let isMeasuring = false;
    const follow = (writer, ages) =>
      board.follow(
        writer.id,
        (lines, now) => {
          if (isMeasuring) for (const [, , , , text] of lines) ages.push(now - writtenAt(text));
        },
        (skipped) => (missed += skipped.count),
      );
    await follow(other, measured.other);
    await follow(loud, measured.loud);
    const behind = [];
    for (let index = 0; index < count; index += 1) {
      const client = await board.another();
      clients.push(client);
      behind.push(await stall(client, loud.id));
    }
    const late = Date.now() - loud.beginsAt;
    if (late > 0) throw new Error(`the container started to write ${late} ms before all clients followed it`);
    await delay(SETTLE_SECONDS * 1000 - late);
    isMeasuring = true;
    const ends = performance.now() + (MEASURE_SECONDS - 1) * 1000;
    while (performance.now() < ends) {
      measured.memory.push(residentMegabytes(server.child.pid));
      await delay(SAMPLE_MS);
    }
    isMeasuring = false;
    const skipped = [];
    for (const resume of behind) skipped.push(await resume());
    if (count > 0)
      say(`stalled: once they read again, at least ${Math.min(...skipped)} lines were reported as skipped`);
    return { ...measured, missed };
  } finally {
    for (const client of clients) client.close();
    ContainerWriter.stop(writers);
    await server.stop();
  }
}

/**
 * Follows a container, and reads nothing more from its socket.
 * @returns resumes reading; resolves to the number of skipped lines
 */
async function stall(client, container) {
  let skipped = 0;
  await client.follow(
    container,
    () => undefined,
    ({ count }) => (skipped += count),
  );
  client.socket.pause();
  return async () => {
    client.socket.resume();
    await until(() => skipped > 0, 'a word about what a stalled reader missed');
    return skipped;
  };
}
