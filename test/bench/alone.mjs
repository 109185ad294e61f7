import { setTimeout as delay } from 'node:timers/promises';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { ContainerWriter } from './container-writer.mjs';
import { Figure, medianOf } from './figures.mjs';
import { LogBoardClient } from './log-board-client.mjs';
import { mostResidentMegabytes, processorSeconds, residentMegabytes } from './process-figures.mjs';
import { until } from './until.mjs';

const PASSWORD = 'correct horse battery staple';
const SOURCES = 20;
const SETTLE_MS = 10_000;
const QUIET_MS = 30_000;
/** For what it does without any source, as a comparison. */
const IDLE_MS = 15_000;
/** Lines a second of each. */
const RATE = 500;
const BUSY_SECONDS = 30;
const SAMPLE_MS = 250;

/** The log board in a separate process while a viewer follows twenty containers: quiet ones, then busy ones. */
export async function alone({ engine = 'docker' }) {
  const server = await BuiltServer.startLogBoard({
    APP_RUNTIME: engine,
    APP_PASS: PASSWORD,
    APP_LOG_LEVEL: 'warn',
  });
  try {
    const board = await LogBoardClient.open(server.logBoardUrl, PASSWORD);
    try {
      return [await quiet(engine, server, board), ...(await busy(engine, server, board))];
    } finally {
      board.close();
    }
  } finally {
    await server.stop();
  }
}

async function quiet(engine, server, board) {
  const own = await processorShare(server, IDLE_MS);
  const writers = await ContainerWriter.startMany(engine, SOURCES, { rate: 1, seconds: 0 });
  try {
    const followed = [];
    for (const { id } of writers) followed.push(await board.follow(id, () => undefined));
    const share = await processorShare(server, QUIET_MS);
    for (const following of followed) following.end();
    return new Figure({
      title: `${engine}, log board alone: a core’s share with ${SOURCES} quiet sources open`,
      unit: '%',
      goal: 0.5,
      values: [share],
      versus: `without any source: ${own.toFixed(2)} %`,
    });
  } finally {
    ContainerWriter.stop(writers);
  }
}

/** Per cent of a core, once it has settled. */
async function processorShare(server, forMs) {
  await delay(SETTLE_MS);
  const began = performance.now();
  const before = processorSeconds(server.child.pid);
  await delay(forMs);
  return ((processorSeconds(server.child.pid) - before) / ((performance.now() - began) / 1000)) * 100;
}

async function busy(engine, server, board) {
  const { pid } = server.child;
  const before = residentMegabytes(pid);
  const writers = await ContainerWriter.startMany(engine, SOURCES, { rate: RATE, seconds: BUSY_SECONDS });
  try {
    const wanted = SOURCES * RATE * BUSY_SECONDS;
    let received = 0;
    let counted = 0;
    for (const { id } of writers) {
      await board.follow(
        id,
        (lines) => (received += lines.length),
        ({ count }) => (counted += count),
      );
    }
    const late = Date.now() - writers[0].beginsAt;
    if (late > 0) throw new Error(`the containers started to write ${late} ms before all were followed`);
    await until(() => received > 0, 'the first line');
    const samples = [];
    const ends = performance.now() + BUSY_SECONDS * 1000;
    while (performance.now() < ends) {
      samples.push(residentMegabytes(pid));
      await delay(SAMPLE_MS);
    }
    await until(() => received + counted >= wanted, `${wanted} lines`);
    let kept = 0;
    for (const { id } of writers) kept += await board.extent(id);
    const title = `${engine}, log board alone, ${RATE * SOURCES} lines/s over ${SOURCES} sources for ${BUSY_SECONDS} s`;
    return [
      new Figure({
        title: `${title}: memory at its most`,
        unit: 'MB',
        goal: 150,
        values: [Math.max(...samples)],
        versus: `${before.toFixed(0)} MB before, ${medianOf(samples).toFixed(0)} MB mostly, ${mostResidentMegabytes(pid).toFixed(0)} MB ever`,
      }),
      new Figure({
        title: `${title}: not received, or not in history`,
        unit: 'lines',
        goal: 0,
        values: [Math.abs(wanted - received) + Math.abs(wanted - kept)],
      }),
    ];
  } finally {
    ContainerWriter.stop(writers);
  }
}
