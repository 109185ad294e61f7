import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ContainerWriter, numberOf } from './container-writer.mjs';
import { EngineLog } from './engine-log.mjs';
import { Figure, medianOf, p95Of } from './figures.mjs';
import { LogBoardClient } from './log-board-client.mjs';

const PASSWORD = 'correct horse battery staple';
const LINES = 1_000_000;
const TAKEN_IN_WITHIN_MS = 240_000;
/** Page size of the log viewer. */
const PAGE = 500;
const OPENINGS = 20;
const PAGES = 200;

/** A container with a million lines that were taken in: until its newest are here, and any of its older pages. */
export async function million({ engine = 'docker' }) {
  const server = await BuiltServer.start({
    APP_RUNTIME: engine,
    APP_PASS: PASSWORD,
    APP_LOG_LEVEL: 'warn',
    APP_LOG_SOURCE_SIZE: '1GB',
  });
  try {
    const board = await LogBoardClient.open(server.logBoardUrl, PASSWORD);
    const writer = await ContainerWriter.start(engine, { rate: LINES, seconds: 1 });
    try {
      const { id } = await takenIn(board, writer);
      return [
        await opening(engine, board, writer),
        await olderPages(board, 'by its number', async () => {
          const before = PAGE + 1 + Math.floor(Math.random() * (LINES - PAGE));
          const { lines } = await board.ask('GET', `/api/sources/${id}/lines?before=${before}&limit=${PAGE}`);
          check(
            lines.map(({ text }) => text),
            before - PAGE,
          );
        }),
        await olderPages(board, 'by its position, as the viewer asks', async () => {
          const position = 1 + Math.floor(Math.random() * (LINES - PAGE));
          const page = await board.ask('GET', `/api/lines?sources=${id}&position=${position}&limit=${PAGE}`);
          check(
            page.lines.map(([, , , , , text]) => text),
            position,
          );
        }),
      ];
    } finally {
      board.close();
      writer.stop();
    }
  } finally {
    await server.stop();
  }
}

async function takenIn(board, writer) {
  const began = Math.max(writer.beginsAt, Date.now());
  const deadline = performance.now() + TAKEN_IN_WITHIN_MS;
  while ((await board.extent(writer.id)) < LINES) {
    if (performance.now() > deadline) throw new Error(`${LINES} lines were not taken in in time`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  say(`million: taken in within ${((Date.now() - began) / 1000).toFixed(0)} s of the first line`);
  return await board.source(writer.id);
}

async function opening(engine, board, writer) {
  const values = [];
  const own = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    const began = performance.now();
    const { id } = await board.source(writer.id);
    const { lines } = await board.ask('GET', `/api/lines?sources=${id}&limit=${PAGE}`);
    values.push(performance.now() - began);
    check(
      lines.map(([, , , , , text]) => text),
      LINES - PAGE + 1,
    );
    own.push(await EngineLog.timeToRead(engine, writer.id, PAGE));
  }
  return new Figure({
    title: `${engine}, a container of ${LINES} lines: open`,
    unit: 'ms',
    goal: 300,
    decides: 'p95',
    values,
    versus: `the engine’s API in the same run, the newest ${PAGE} lines: median ${medianOf(own).toFixed(2)} ms`,
  });
}

async function olderPages(board, how, read) {
  const values = [];
  const least = [];
  for (let page = 0; page < PAGES; page += 1) {
    const began = performance.now();
    await read();
    const between = performance.now();
    values.push(between - began);
    await board.ask('GET', '/api/auth/me');
    least.push(performance.now() - between);
  }
  return new Figure({
    title: `one of ${LINES} lines: older page of ${PAGE} ${how}`,
    unit: 'ms',
    goal: 20,
    decides: 'p95',
    values,
    versus: `the least that this server answers, in the same run: median ${medianOf(least).toFixed(2)} ms, p95 ${p95Of(least).toFixed(2)} ms`,
  });
}

/** @throws Error unless these are the lines of a page, from that number on. */
function check(texts, from) {
  const numbers = texts.map(numberOf);
  if (numbers.length === PAGE && numbers.every((number, index) => number === from + index)) return;
  throw new Error(`a page from ${from} on had ${numbers.length} lines, ${numbers[0]} to ${numbers.at(-1)}`);
}
