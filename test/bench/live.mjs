import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ContainerWriter, writtenAt } from './container-writer.mjs';
import { EngineLog } from './engine-log.mjs';
import { Figure, medianOf, p95Of } from './figures.mjs';
import { LogBoardClient } from './log-board-client.mjs';
import { until } from './until.mjs';

const PASSWORD = 'correct horse battery staple';
/** The engine's own goals: Podman looks into a log's file four times a second. */
const GOALS = { docker: { median: 10, p95: 50 }, podman: { median: 250, p95: 500 } };
const SHAPES = {
  plain: '',
  json: 'json',
  'every line of one level': 'level',
};

/**
 * From the moment in which a container writes a line to that in which a client of the socket has it, beside the engine's
 * own API in the same run; and how much one client can receive.
 */
export async function live({ engine = 'docker' }) {
  const server = await BuiltServer.start({
    APP_RUNTIME: engine,
    APP_PASS: PASSWORD,
    APP_LOG_LEVEL: 'warn',
    // Three million lines are more than a source may keep by itself.
    APP_LOG_SOURCE_SIZE: '1GB',
  });
  const board = await LogBoardClient.open(server.logBoardUrl, PASSWORD);
  try {
    const figures = [];
    for (const rate of [10, 1000]) {
      for (const [name, shape] of Object.entries(SHAPES)) {
        figures.push(
          ...(await latency(engine, board, { rate, shape, name, seconds: rate === 10 ? 20 : 10 })),
        );
      }
    }
    if (engine === 'docker') {
      figures.push(...(await throughput(engine, board, { rate: 10_000, seconds: 20, least: 1 })));
      figures.push(...(await throughput(engine, board, { rate: 50_000, seconds: 60, least: 0.5 })));
    }
    return figures;
  } finally {
    board.close();
    await server.stop();
  }
}

async function latency(engine, board, { rate, shape, name, seconds }) {
  const writer = await ContainerWriter.start(engine, { rate, seconds, shape });
  const floor = EngineLog.follow(engine, writer.id);
  try {
    const ages = [];
    const following = await board.follow(writer.id, (lines, now) => {
      for (const [, , , , text] of lines) ages.push(now - writtenAt(text));
    });
    await until(() => ages.length >= rate * seconds * 0.8, `${rate} lines/s`);
    following.end();
    // Lines from before the measurement are older.
    const values = ages.slice(Math.ceil(ages.length / 10));
    const own = floor.ages.slice(Math.ceil(floor.ages.length / 10));
    if (own.length === 0) throw new Error('the engine returned nothing');
    const title = `${engine}, ${rate} lines/s, ${name}: written to received`;
    const versus = `the engine’s API in the same run: median ${medianOf(own).toFixed(2)} ms, p95 ${p95Of(own).toFixed(2)} ms`;
    return ['median', 'p95'].map(
      (decides) => new Figure({ title, unit: 'ms', goal: GOALS[engine][decides], decides, values, versus }),
    );
  } finally {
    floor.end();
    writer.stop();
  }
}

async function throughput(engine, board, { rate, seconds, least }) {
  const writer = await ContainerWriter.start(engine, { rate, seconds });
  try {
    const wanted = rate * seconds;
    let received = 0;
    let skipped = 0;
    let next = 1;
    let broken = 0;
    const lags = [];
    let second = Infinity;
    const following = await board.follow(
      writer.id,
      (lines, now) => {
        for (const [seq] of lines) {
          if (seq !== next) broken += 1;
          next = seq + 1;
        }
        received += lines.length;
        const at = Math.floor(now / 1000);
        if (at !== second) lags.push(now - writtenAt(lines.at(-1)[4]));
        second = at;
      },
      ({ from, to, count }) => {
        if (from !== next || to - from + 1 !== count) broken += 1;
        next = to + 1;
        skipped += count;
      },
    );
    await until(() => received + skipped >= wanted, `${wanted} lines`, (seconds + 120) * 1000);
    following.end();
    const kept = await board.extent(writer.id);
    say(`live: of ${wanted} lines ${received} were received and ${skipped} counted; ${kept} are in history`);
    const title = `${engine}, ${rate} lines/s for ${seconds} s`;
    return [
      new Figure({
        title: `${title}: share that was not delivered`,
        unit: '×',
        goal: 1 - least,
        values: [1 - received / wanted],
      }),
      new Figure({
        title: `${title}: neither delivered nor counted, or not in history`,
        unit: 'lines',
        goal: 0,
        values: [broken + Math.abs(wanted - received - skipped) + Math.abs(wanted - kept)],
      }),
      new Figure({
        title: `${title}: lag, once a second`,
        unit: 'ms',
        goal: 1000,
        decides: 'p95',
        values: lags.slice(1),
      }),
    ];
  } finally {
    writer.stop();
  }
}
