import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { joinJournalGroups, runInRequest, setCurrentActor, SYSTEM_ACTOR } from '../../core/logging/index.js';
import { Database, migrations } from '../../core/storage/index.js';
import type { JournalEntry, NewJournalEntry } from './journal-entry.js';
import type { JournalFilterDto } from './journal.dto.js';
import { JournalService } from './journal.service.js';
import { JournalStore, type JournalFilter } from './journal.store.js';

const entry = (more: Partial<NewJournalEntry> = {}): NewJournalEntry => ({
  kind: 'create',
  cluster: 'c',
  runtime: 'docker',
  subject: null,
  outcome: 'started',
  message: 'Started.',
  job_id: null,
  duration_ms: null,
  ...more,
});

describe('JournalService', () => {
  let folder: string;
  let database: Database;
  let journal: JournalService;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
    database = Database.open(join(folder, 'slipway.db'), migrations);
    journal = new JournalService(new JournalStore(database));
  });

  afterEach(() => {
    jest.useRealTimers();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('completes the entry of a job, and announces it after the commit', async () => {
    const announced: JournalEntry[] = [];
    journal.changes.subscribe((change) => announced.push(change));
    journal.record(entry({ job_id: 7 }));
    const completed = database.transaction(() =>
      journal.complete(7, entry({ job_id: 7, outcome: 'succeeded', message: 'Done.', duration_ms: 5 })),
    );
    expect(announced).toHaveLength(1);
    completed.announce();
    expect(announced[1]).toMatchObject({
      id: announced[0]?.id,
      outcome: 'succeeded',
      message: 'Done.',
      duration_ms: 5,
    });
    expect(await journal.recent({}, 30, 0)).toMatchObject({ total: 1, entries: [{ outcome: 'succeeded' }] });
  });

  it('keeps what cannot be written while another program locks the database, in order', async () => {
    const other = Database.open(join(folder, 'slipway.db'), migrations);
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick'], now: 1000 });
    other.transaction(() => {
      expect(() => journal.record(entry())).toThrow('database is locked');
      journal.recordEventually(entry({ message: 'First.' }));
      jest.advanceTimersByTime(5000);
      journal.recordEventually(entry({ message: 'Second.' }));
    });
    other.close();
    jest.advanceTimersByTime(1000);
    const { entries } = await journal.recent({}, 30, 0);
    expect(entries.map(({ message, time }) => [message, time])).toEqual([
      ['Second.', new Date(6000).toISOString()],
      ['First.', new Date(1000).toISOString()],
    ]);
  });

  it('writes what waits when it shuts down', async () => {
    const other = Database.open(join(folder, 'slipway.db'), migrations);
    other.transaction(() => journal.recordEventually(entry({ message: 'Last.' })));
    other.close();
    journal.onApplicationShutdown();
    expect(await journal.recent({}, 30, 0)).toMatchObject({ entries: [{ message: 'Last.' }] });
  });

  it('lists the entries of one request and kind as one group, which opens to them', async () => {
    const deletion = (name: string, more: Partial<NewJournalEntry> = {}): void =>
      journal.recordEventually(
        entry({ kind: 'resource-delete', outcome: 'succeeded', message: name, grouped: true, ...more }),
      );
    runInRequest(() => ['a', 'b', 'c'].forEach((name) => deletion(name)));
    runInRequest(() => {
      deletion('d');
      deletion('e', { outcome: 'failed' });
      deletion('f', { kind: 'resource-scale' });
      journal.record(entry({ kind: 'resource-delete', message: 'g' }));
    });
    deletion('h');
    deletion('i');
    const found = async (filter: JournalFilter): Promise<unknown[]> => {
      const { entries, total } = await journal.recent(filter, 30, 0);
      expect(total).toBe(entries.length);
      return entries.map((each) => [each.message, each.group_size, each.group_failed]);
    };
    expect(await found({ grouped: true })).toEqual([
      ...[
        ['i', 1, 0],
        ['h', 1, 0],
        ['g', 1, 0],
        ['f', 1, 0],
        ['d', 2, 1],
        ['a', 3, 0],
      ],
    ]);
    expect(await found({})).toHaveLength(9);
    // An entry whose group is not listed is listed itself.
    expect(await found({ grouped: true, outcome: 'failed' })).toEqual([['e', 1, 1]]);
    expect(await found({ grouped: true, outcome: 'succeeded', kind: 'resource-delete' })).toEqual([
      ...[
        ['i', 1, 0],
        ['h', 1, 0],
        ['d', 2, 1],
        ['a', 3, 0],
      ],
    ]);
    const { entries } = await journal.recent({ text: 'a' }, 1, 0);
    expect(await found({ group: entries[0]?.id })).toEqual([
      ['c', 1, 0],
      ['b', 1, 0],
      ['a', 3, 0],
    ]);
  });

  it('lists the entries of a batch of requests as a group for each cluster and kind of object', async () => {
    const groups = new Map<string, number>();
    for (const [cluster, subject] of [
      ['shop', 'configmaps/a/1'],
      ['shop', 'configmaps/a/2'],
      ['shop', 'secrets/a/1'],
      ['test', 'configmaps/a/1'],
    ] as const) {
      runInRequest(() => {
        joinJournalGroups(groups);
        journal.recordEventually(entry({ cluster, subject, grouped: true }));
      });
    }
    const { entries } = await journal.recent({ grouped: true }, 30, 0);
    expect(entries.map((each) => [each.cluster, each.subject, each.group_size])).toEqual([
      ['test', 'configmaps/a/1', 1],
      ['shop', 'secrets/a/1', 1],
      ['shop', 'configmaps/a/1', 2],
    ]);
  });

  it('keeps the diff of an entry apart from lists, as long as the entry', async () => {
    const diff = { before: 'password: correct-horse\ncolor: red', after: 'color: blue' };
    journal.record(entry({ outcome: 'succeeded', diff }));
    journal.record(entry({ outcome: 'succeeded' }));
    const { entries } = await journal.recent({}, 30, 0);
    expect(entries).toMatchObject([{ has_diff: false }, { has_diff: true }]);
    expect(entries[1]).not.toHaveProperty('diff');
    const [without, kept] = entries.map(({ id }) => journal.entry(id));
    expect(without).toMatchObject({ diff: null });
    expect(kept).toMatchObject({
      diff: {
        before: 'password: [removed]\ncolor: red',
        after: 'color: blue',
        first_line: 1,
        truncated: false,
      },
    });
    expect(() => database.run("UPDATE journal_diffs SET after = ''")).toThrow('cannot be changed');
    new JournalStore(database).deleteOldest({ before: '9', kept: 0, most: 10 });
    expect(database.all('SELECT * FROM journal_diffs')).toEqual([]);
    expect(() => journal.entry(kept?.id ?? 0)).toThrow(
      expect.objectContaining({ code: 'journal_entry_not_found' }),
    );
  });

  it('keeps the groups of requests apart while entries wait', async () => {
    const other = Database.open(join(folder, 'slipway.db'), migrations);
    other.transaction(() => {
      for (const message of ['a', 'b']) {
        runInRequest(() => journal.recordEventually(entry({ message, grouped: true })));
      }
    });
    other.close();
    journal.onApplicationShutdown();
    expect(await journal.recent({ grouped: true }, 30, 0)).toMatchObject({ total: 2 });
  });

  it('filters by engine, and includes entries without one', async () => {
    for (const runtime of ['docker', 'podman', null]) {
      journal.record(entry({ runtime, message: String(runtime) }));
    }
    const found = async (runtime?: string): Promise<string[]> =>
      (await journal.recent({ cluster: 'c', ...(runtime && { runtime }) }, 30, 0)).entries
        .map(({ message }) => message)
        .sort();
    expect(await found('docker')).toEqual(['docker', 'null']);
    expect(await found('podman')).toEqual(['null', 'podman']);
    expect(await found()).toHaveLength(3);
  });

  it('inserts the end of a job without a started entry', async () => {
    journal.complete(7, entry({ job_id: 7, outcome: 'interrupted' })).announce();
    expect((await journal.recent({}, 30, 0)).total).toBe(1);
  });

  it('returns no pages for an empty journal', async () => {
    expect(await journal.recent({}, 30, 0)).toEqual({
      entries: [],
      total: 0,
      page: 1,
      total_pages: 0,
      limit: 30,
      offset: 0,
    });
  });

  it('masks secrets and truncates long messages', async () => {
    journal.record(entry({ message: `password=hunter2 ${'x'.repeat(5000)}` }));
    const [first] = (await journal.recent({}, 1, 0)).entries;
    expect(first?.message).toContain('password=[removed]');
    expect(first?.message).toHaveLength(2000);
  });

  it('finds text literally, without SQL wildcards', async () => {
    for (const message of ['100% done', 'a_b', "it's", 'back\\slash']) journal.record(entry({ message }));
    const found: number[] = [];
    for (const text of ['%', '_', "'", '\\', 'DONE', "' OR 1=1 --"]) {
      found.push((await journal.recent({ text }, 30, 0)).total);
    }
    expect(found).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it('finds kinds by their part before the hyphen', async () => {
    for (const kind of ['addon-install', 'addon-upgrade', 'addons', 'add', 'create']) {
      journal.record(entry({ kind }));
    }
    const found = async (kind: string): Promise<string[]> =>
      (await journal.recent({ kind }, 30, 0)).entries.map((each) => each.kind).sort();
    expect(await found('addon')).toEqual(['addon-install', 'addon-upgrade']);
    expect(await found('addon-install')).toEqual(['addon-install']);
    expect(await found('create')).toEqual(['create']);
  });

  it('records the actor of the request, shortens the id of a session, and masks secrets in a token name', async () => {
    runInRequest(() => {
      setCurrentActor({
        kind: 'session',
        user: 'ada',
        id: 'b3JpZ2luYWwgYmVjYXVzZSB5b3Ug',
        address: '10.0.0.7',
      });
      journal.record(entry());
    });
    const token = {
      kind: 'token',
      user: 'ada',
      id: 't-1',
      name: 'password=hunter2',
      address: '::1',
    } as const;
    journal.record(entry({ actor: token }));
    journal.record(entry());
    expect((await journal.recent({}, 30, 0)).entries.map(({ actor }) => actor)).toEqual([
      { ...SYSTEM_ACTOR, name: null },
      { ...token, name: 'password=[removed]' },
      { kind: 'session', user: 'ada', id: 'b3JpZ2', name: null, address: '10.0.0.7' },
    ]);
  });

  it('keeps the actor of an entry when its job ends in another context', async () => {
    const actor = { kind: 'local', user: 'ada', id: null, name: null, address: '127.0.0.1' } as const;
    journal.record(entry({ job_id: 7, actor }));
    journal.complete(7, entry({ job_id: 7, outcome: 'succeeded', actor: SYSTEM_ACTOR })).announce();
    expect((await journal.recent({}, 30, 0)).entries).toMatchObject([{ outcome: 'succeeded', actor }]);
  });

  it('shows no actor for an entry of a version that recorded none', async () => {
    database.run(
      "INSERT INTO journal (time, kind, outcome, message) VALUES ('2026-01-01T00:00:00.000Z', 'create', 'succeeded', 'Old.')",
    );
    expect((await journal.recent({}, 30, 0)).entries).toMatchObject([{ message: 'Old.', actor: null }]);
  });

  it('finds an actor only by kind, user, id, name and address', async () => {
    journal.record(
      entry({ actor: { kind: 'token', user: 'ada', id: 't-1', name: 'ci', address: '10.0.0.7' } }),
    );
    journal.record(entry({ actor: { kind: 'local', user: 'local', id: null, address: '127.0.0.1' } }));
    const found: number[] = [];
    for (const actor of ['token', 'ada', 't-1', 'ci', '10.0.0.7', 'local', '10.0.0', 'ADA']) {
      found.push((await journal.recent({ actor }, 30, 0)).total);
    }
    expect(found).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  });

  it('finds entries between two times, with pages across slices', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'], now: Date.parse('2026-11-21T00:00:00Z') });
    database.transaction(() => {
      for (let number = 0; number < 45_000; number += 1) {
        jest.advanceTimersByTime(1000);
        journal.record(
          entry({ message: `entry ${number}`, kind: number % 10_000 === 0 ? 'rare' : 'create' }),
        );
      }
    });
    const messages = async (filter: JournalFilterDto, limit: number, offset = 0): Promise<string[]> =>
      (await journal.recent(filter, limit, offset)).entries.map(({ message }) => message);
    expect(await messages({}, 2)).toEqual(['entry 44999', 'entry 44998']);
    expect(await messages({}, 2, 24_999)).toEqual(['entry 20000', 'entry 19999']);
    expect(await messages({ kind: 'rare' }, 30)).toEqual(
      [4, 3, 2, 1, 0].map((number) => `entry ${number * 10_000}`),
    );
    expect(await messages({ kind: 'rare' }, 2, 3)).toEqual(['entry 10000', 'entry 0']);
    const range = { since: '2026-11-21T00:00:03.000Z', until: '2026-11-21T00:00:05.000Z' };
    expect(await messages(range, 30)).toEqual(['entry 3', 'entry 2']);
    expect((await journal.recent({ since: range.since }, 1, 0)).total).toBe(44_998);
    expect((await journal.recent({ until: range.until }, 1, 0)).total).toBe(4);
  });

  describe('an ended entry', () => {
    beforeEach(() => journal.record(entry({ job_id: 7, outcome: 'succeeded', message: 'Done.' })));

    it.each(["message = 'x'", "outcome = 'started'", 'actor_user = NULL'])(
      'rejects UPDATE journal SET %s',
      async (change) => {
        expect(() => database.run(`UPDATE journal SET ${change}`)).toThrow('cannot be changed');
        expect((await journal.recent({}, 30, 0)).entries).toMatchObject([
          { message: 'Done.', outcome: 'succeeded', actor: { user: 'system' } },
        ]);
      },
    );

    it('is not overwritten by another job end with the same id', async () => {
      journal.complete(7, entry({ job_id: 7, outcome: 'failed', message: 'Again.' })).announce();
      const { entries } = await journal.recent({}, 30, 0);
      expect(entries.map(({ message }) => message)).toEqual(['Again.', 'Done.']);
    });

    it('can only be deleted by retention', () => {
      expect(() => database.run('DELETE FROM journal')).toThrow('only retention');
    });
  });
});
