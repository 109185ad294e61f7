import { setTimeout as delay } from 'node:timers/promises';

/**
 * Writes lines into the history of a folder until it is killed, as the log board does, and tells each line that it took
 * in: `node write-lines.mjs FOLDER`.
 */
const [, , folder] = process.argv;
const history = new URL('../../../dist/backend/modules/logs/history/index.js', import.meta.url);
const { LogHistory } = await import(history.href);

/** Small pieces: segments are put in order and compressed while it writes. */
const opened = await LogHistory.open(
  folder,
  { bytesInAll: 1e9, bytesPerSource: 1e9, maxAgeDays: 36_500 },
  { plainBytes: 64 * 1024, segmentBytes: 16 * 1024 },
);
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const sources = ['a', 'b'].map((name) =>
  opened.source({
    key: `container/docker/${name}`,
    kind: 'container',
    runtime: 'docker',
    cluster: null,
    namespace: null,
    workload: null,
    name,
    container: null,
    role: null,
    service: null,
    previous: null,
  }),
);
const next = sources.map((source) => opened.extent(source).nextSeq);
tell({ run: opened.run, next });
for (let round = 0; ; round += 1) {
  for (const source of sources) {
    const texts = Array.from({ length: 5 }, (_, index) => `run ${opened.run} line ${round * 5 + index}`);
    const lines = texts.map((text) => ({
      time: Date.now() * 1000,
      stream: 'stdout',
      level: null,
      text,
      cut: 0,
      continues: false,
    }));
    tell({ source, first: opened.append(source, lines), texts, at: Date.now() });
  }
  await delay(2);
}
