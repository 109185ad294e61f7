import { setTimeout as delay } from 'node:timers/promises';

/**
 * Writes lines into the embedded log store of a folder until it is killed, as the log board does, and prints each line
 * that it appended: `node write-lines.mjs FOLDER`.
 */
const [, , folder] = process.argv;
const embedded = new URL('../../../dist/backend/drivers/log-store/embedded/index.js', import.meta.url);
const { openEmbeddedLogStore } = await import(embedded.href);

// Few bytes stay uncompressed: blocks are merged and compressed while it writes.
const store = await openEmbeddedLogStore(
  folder,
  { totalBytes: 1e12, bytesPerSource: 1e12, maxAgeDays: 36_500 },
  { uncompressedBytes: 64 * 1024 },
);
const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const sources = ['a', 'b'].map((name) =>
  store.source({
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
print({ run: store.run, next: sources.map((source) => store.extent(source).nextSeq) });
for (let round = 0; ; round += 1) {
  for (const source of sources) {
    const texts = Array.from({ length: 5 }, (_, index) => `run ${store.run} line ${round * 5 + index}`);
    const lines = texts.map((text) => ({
      time: Date.now() * 1000,
      stream: 'stdout',
      level: null,
      text,
      cut: 0,
      continues: false,
    }));
    print({ source, first: store.append(source, lines), texts, at: Date.now() });
  }
  await delay(2);
}
