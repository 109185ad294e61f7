import { setTimeout as delay } from 'node:timers/promises';
import { identityOf, newLine, NO_LIMITS } from './lines.ts';

/**
 * Writes lines into the embedded log store of a folder until it is killed, as the log board does, and prints each line
 * that it appended: `node write-lines.mjs FOLDER`.
 */
const [, , folder] = process.argv;
const embedded = new URL('../../../dist/backend/src/drivers/log-store/embedded/index.js', import.meta.url);
const { openEmbeddedLogStore } = await import(embedded.href);

// Few bytes stay uncompressed: blocks are merged and compressed while it writes.
const store = await openEmbeddedLogStore(folder, NO_LIMITS, { uncompressedBytes: 64 * 1024 });
const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const sources = ['a', 'b'].map((name) => store.source(identityOf(name)));
print({ run: store.run, next: sources.map((source) => store.extent(source).nextSeq) });
for (let round = 0; ; round += 1) {
  for (const source of sources) {
    const texts = Array.from({ length: 5 }, (_, index) => `run ${store.run} line ${round * 5 + index}`);
    const lines = texts.map((text) => newLine(text, Date.now() * 1000));
    print({ source, first: store.append(source, lines), texts, at: Date.now() });
  }
  await delay(2);
}
