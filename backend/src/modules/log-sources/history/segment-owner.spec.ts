import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identityOf } from '../../../../../test/support/logs/history.js';
import { linesIn, OwnerSteps } from '../../../../../test/support/logs/owner-steps.js';
import { Database } from '../../../core/storage/index.js';

const FULL = 'database or disk is full';
const told = expect.stringContaining(FULL);

let folder: string;
let owner: OwnerSteps;
let other: Database | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'owner-'));
  owner = new OwnerSteps(folder);
});

afterEach(() => {
  other?.close();
  other = undefined;
  owner.close();
  rmSync(folder, { recursive: true, force: true });
});

function texts(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${from + index} ${'x'.repeat(60)}`);
}

/** A second connection, to the schema as it is. */
function openOther(): Database {
  return Database.open(join(folder, 'logs.db'), [''], { checkedTables: [], checkpointsByHand: true });
}

/** Has SQLite refuse what is done to a table, and take everything of the transaction back, as on a full disk. */
function refuse(table: string, ...changes: ('INSERT' | 'UPDATE' | 'DELETE')[]): { no: () => void } {
  other ??= openOther();
  for (const change of changes) {
    other.run(
      `CREATE TRIGGER refuse_${change} BEFORE ${change} ON ${table} BEGIN SELECT RAISE(ROLLBACK, '${FULL}'); END`,
    );
  }
  return { no: () => changes.forEach((change) => other?.run(`DROP TRIGGER refuse_${change}`)) };
}

function rows(table: string): number {
  other ??= openOther();
  return other.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)?.rows ?? 0;
}

/** Closes the folder and tells what an opening finds in it. */
async function again(): ReturnType<typeof linesIn> {
  owner.close();
  const found = await linesIn(folder);
  owner = new OwnerSteps(folder);
  return found;
}

/** Files in which one of these is. */
function filesWith(...parts: (string | Buffer)[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return parts.some((part) => bytes.includes(part));
  });
}

describe('what the database refuses', () => {
  it('the removal of a source that is gone: it is told, writing goes on, and it is done later', () => {
    owner.add(1, 'gone');
    const stays = owner.add(2, 'stays');
    const refusal = refuse('sources', 'DELETE');
    owner.handle({ type: 'remove', source: 1 });
    expect(owner.troubles).toEqual([told]);
    owner.write(stays, texts(1, 3));
    expect(owner.answers.at(-1)).toMatchObject({ type: 'written', batch: 1 });
    // What gives room comes first.
    expect([owner.tidy(), owner.tidy(), rows('sources')]).toEqual([true, false, 2]);
    refusal.no();
    owner.finish();
    expect(rows('sources')).toBe(1);
  });

  it('a new source and what is gone of it: with its lines they are there at the next opening', async () => {
    const refusal = refuse('sources', 'INSERT', 'UPDATE');
    const source = owner.add(1, 'new');
    for (let first = 1; first <= 1000; first += 50) owner.write(source, texts(first, 50));
    owner.forget(source, 2);
    expect(owner.troubles).toEqual([told, told]);
    refusal.no();
    owner.finish();
    expect([rows('sources'), rows('blocks') > 0]).toEqual([1, true]);
    owner.close();
    const { lines } = await linesIn(folder);
    expect([...(lines.get(1)?.keys() ?? [])][0]).toBe(source.firstSeq);
    expect(lines.get(1)?.get(1000)).toMatch(/^line 1000 /);
    expect(source.firstSeq).toBe(101);
  });

  it('that lines are gone: the segments that held them alone go all the same', async () => {
    const [kept, gone] = [owner.add(1, 'kept'), owner.add(2, 'gone')];
    owner.write(kept, texts(1, 50));
    for (let first = 1; first <= 500; first += 50) owner.write(gone, texts(first, 50));
    const before = readdirSync(join(folder, 'logs')).length;
    const refusal = refuse('sources', 'INSERT', 'UPDATE');
    owner.delete(gone);
    for (let step = 0; step < 10; step += 1) {
      owner.tidy();
      owner.release();
    }
    expect(owner.troubles.length).toBeGreaterThan(1);
    expect([before, readdirSync(join(folder, 'logs')).length]).toEqual([3, 1]);
    refusal.no();
    const { lines } = await again();
    expect([lines.get(1)?.size, lines.get(2)?.size]).toEqual([50, 0]);
  });

  it('blocks: their lines stay in segments, and the owner rests before it tries again', () => {
    const source = owner.add(1, 'a');
    const refusal = refuse('blocks', 'INSERT');
    for (let first = 1; first <= 2000; first += 50) owner.write(source, texts(first, 50));
    for (let step = 0; step < 100 && owner.tidy(); step += 1) owner.release();
    expect(owner.troubles).toEqual([told]);
    // Twenty milliseconds after each batch it would read and compress the same segment in vain.
    expect(owner.tidy(performance.now())).toBe(false);
    expect(owner.troubles).toEqual([told]);
    refusal.no();
    owner.finish();
    expect(rows('blocks')).toBeGreaterThan(0);
  });

  it('a source whose key was that of one that is still in the database', () => {
    owner.add(1, 'same');
    owner.handle({ type: 'source', id: 7, identity: identityOf('same') });
    owner.finish();
    expect([owner.troubles, rows('sources')]).toEqual([[], 1]);
  });
});

describe('what is deleted', () => {
  it('is in no file any more, neither as it came nor as a block, and no other is touched', async () => {
    const [kept, deleted] = [owner.add(1, 'kept'), owner.add(2, 'deleted')];
    for (let first = 1; first <= 1500; first += 50) {
      owner.write(kept, texts(first, 50));
      owner.write(
        deleted,
        texts(first, 50).map((text) => text.replaceAll('x', 'secret ')),
      );
    }
    owner.finish();
    owner.write(deleted, ['and the last secret']);
    other ??= openOther();
    const blobs = other
      .all<{ text: Uint8Array }>('SELECT text FROM blocks JOIN block_texts USING (id) WHERE source = 2')
      .map(({ text }) => Buffer.from(text.slice(16, 80)));
    expect(blobs.length).toBeGreaterThan(5);
    expect(filesWith('secret', ...blobs)).not.toEqual([]);
    other.close();
    other = undefined;
    owner.delete(deleted);
    owner.finish();
    expect([filesWith('secret', ...blobs), owner.troubles]).toEqual([[], []]);
    const { lines } = await again();
    expect([lines.get(1)?.size, lines.get(2)?.size]).toEqual([1500, 0]);
  });

  it('goes from a segment that was written anew before it was told so', () => {
    const [kept, deleted] = [owner.add(1, 'kept'), owner.add(2, 'deleted')];
    for (let first = 1; first <= 300; first += 50) {
      owner.write(kept, texts(first, 50));
      owner.write(deleted, ['secret']);
    }
    // The main thread has not heard of it.
    while (owner.unneeded.length === 0) owner.tidy();
    owner.delete(deleted);
    owner.finish();
    expect(filesWith('secret')).toEqual([]);
  });

  it('goes also where it could not be written before it was deleted', () => {
    const source = owner.add(1, 'a');
    const segments = join(folder, 'logs');
    renameSync(segments, `${segments}-away`);
    const batch = owner.write(source, ['secret']);
    renameSync(`${segments}-away`, segments);
    owner.delete(source);
    owner.send(batch);
    expect(owner.answers.at(-1)).toMatchObject({ type: 'written', batch });
    owner.finish();
    expect(filesWith('secret')).toEqual([]);
  });

  it('goes after a kill in the midst of it, also from a segment that is in order', () => {
    const [kept, deleted] = [owner.add(1, 'kept'), owner.add(2, 'deleted')];
    for (let first = 1; first <= 300; first += 50) {
      owner.write(kept, texts(first, 50));
      owner.write(deleted, ['secret']);
    }
    owner.finish();
    const killed = join(folder, 'killed');
    cpSync(join(folder, 'logs'), join(killed, 'logs'), { recursive: true });
    owner.delete(deleted);
    for (const file of ['logs.db', 'logs.db-wal']) cpSync(join(folder, file), join(killed, file));
    const inKilled = (): string[] => filesWith('secret').filter((file) => file.startsWith('killed'));
    expect(inKilled()).toContain(join('killed', 'logs', '0000000001-1.log'));
    const after = new OwnerSteps(killed);
    // It waits for no first pages, and for no flood to end.
    expect(after.hasRoom).toBe(false);
    after.finish();
    expect(after.hasRoom).toBe(true);
    after.close();
    expect(inKilled()).toEqual([]);
  });
});

describe('what the disk refuses', () => {
  it('to remove a segment: it is told, and tried again', () => {
    const source = owner.add(1, 'a');
    for (let first = 1; first <= 2000; first += 50) owner.write(source, texts(first, 50));
    while (owner.unneeded.length === 0) owner.tidy();
    const path = join(folder, 'logs', owner.unneeded[0] ?? '');
    rmSync(path);
    mkdirSync(path);
    owner.finish();
    expect(owner.troubles.length).toBeGreaterThan(0);
    expect(owner.troubles[0]).toMatch(/directory/);
    rmSync(path, { recursive: true });
    owner.finish();
    const left = readdirSync(join(folder, 'logs'));
    expect(left.length).toBeLessThan(10);
  });

  it('to read a segment: others are tidied meanwhile, and its lines are there when it can be read again', async () => {
    const source = owner.add(1, 'a');
    for (let first = 1; first <= 3000; first += 50) owner.write(source, texts(first, 50));
    const path = join(folder, 'logs', '0000000001-0.log');
    renameSync(path, `${path}-away`);
    mkdirSync(path);
    // After it has rested each time, and long before it tries that one again.
    for (let step = 0; step < 100; step += 1) {
      owner.tidy(performance.now() + 5000);
      owner.release();
    }
    expect(owner.troubles).toEqual([expect.stringContaining('EISDIR')]);
    expect(rows('blocks')).toBeGreaterThan(3);
    other?.close();
    other = undefined;
    owner.close();
    rmSync(path, { recursive: true });
    renameSync(`${path}-away`, path);
    const { lines } = await linesIn(folder);
    expect(lines.get(1)?.size).toBe(3000);
    owner = new OwnerSteps(folder);
    owner.finish();
    expect((await again()).lines.get(1)?.size).toBe(3000);
  });

  it('to read a segment of what was deleted: the others are cleaned of it', () => {
    const [kept, deleted] = [owner.add(1, 'kept'), owner.add(2, 'deleted')];
    for (let first = 1; first <= 600; first += 50) {
      owner.write(kept, texts(first, 50));
      owner.write(deleted, ['secret']);
    }
    const path = join(folder, 'logs', '0000000001-0.log');
    renameSync(path, join(folder, 'away'));
    mkdirSync(path);
    owner.delete(deleted);
    for (let step = 0; step < 100; step += 1) {
      owner.tidy(performance.now() + 5000);
      owner.release();
    }
    expect(filesWith('secret')).toEqual(['away']);
    rmSync(path, { recursive: true });
    renameSync(join(folder, 'away'), path);
    owner.finish();
    expect(filesWith('secret')).toEqual([]);
  });

  it('a batch: later ones wait for it, and none is written twice', async () => {
    const source = owner.add(1, 'a');
    const segments = join(folder, 'logs');
    renameSync(segments, `${segments}-away`);
    const first = owner.write(source, texts(1, 5));
    renameSync(`${segments}-away`, segments);
    const second = owner.write(source, texts(6, 5));
    expect(owner.answers.slice(-2)).toEqual([
      { type: 'failed', batch: first, reason: expect.stringContaining('ENOENT') },
      { type: 'failed', batch: second, reason: expect.stringContaining('ENOENT') },
    ]);
    for (const batch of [first, second, first, second]) owner.send(batch);
    const written = owner.answers.filter(({ type }) => type === 'written');
    expect(written).toMatchObject([{ batch: first }, { batch: second }]);
    owner.close();
    expect(existsSync(join(segments, '0000000001-0.log'))).toBe(true);
    const { lines } = await linesIn(folder);
    expect([...(lines.get(1)?.keys() ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('everything: whoever asked is answered all the same', () => {
    const refusal = refuse('sources', 'INSERT', 'UPDATE', 'DELETE');
    owner.handle({ type: 'source', id: 1, identity: identityOf('a') });
    owner.handle({ type: 'sync', request: 5 });
    owner.close();
    expect(owner.answers.slice(-2)).toMatchObject([
      { type: 'done', request: 5, isSaved: false },
      { type: 'closed' },
    ]);
    refusal.no();
    owner = new OwnerSteps(folder);
  });
});
