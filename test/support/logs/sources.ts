import type { LogStore, SourceIdentity } from '../../../backend/src/drivers/log-store/index.js';
import type { SourceSettingsStore } from '../../../backend/src/modules/log-sources/source-settings.store.js';

/** Settings of sources, in memory. */
export function noSettings(): SourceSettingsStore {
  const excluded = new Set<string>();
  const deletions = new Map<string, number>();
  return {
    excluded: () => [...excluded],
    setExcluded: (key: string, out: boolean) => (out ? excluded.add(key) : excluded.delete(key)),
    deletions: () => [...deletions],
    setDeletedAt: (key: string, time: number) => void deletions.set(key, time),
  } as Pick<
    SourceSettingsStore,
    'excluded' | 'setExcluded' | 'deletions' | 'setDeletedAt'
  > as SourceSettingsStore;
}

/**
 * A store that assigns ids to sources and stores no lines.
 * @param lines number of lines that the test stores for a source
 * @param remove deletes the lines that the test stores for a source
 */
export function countingStore(
  lines?: (source: number) => number,
  remove?: (source: number) => void,
): LogStore {
  const keys: string[] = [];
  const store: Partial<LogStore> = {
    sources: () => [],
    source: ({ key }: SourceIdentity) => {
      if (!keys.includes(key)) keys.push(key);
      return keys.indexOf(key) + 1;
    },
    leave: () => undefined,
    ...(remove && {
      delete: (id: number) => {
        remove(id);
        return Promise.resolve({ lines: 0, bytes: 0 });
      },
    }),
    ...(lines && {
      extent: (id: number) => ({
        firstSeq: 1,
        nextSeq: lines(id) + 1,
        bytes: 0,
        firstTime: null,
        lastTime: null,
      }),
    }),
  };
  return store as LogStore;
}
