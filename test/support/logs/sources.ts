import type { LogStore, SourceIdentity } from '../../../backend/src/drivers/log-store/index.js';
import type { SourceSettingsStore } from '../../../backend/src/modules/log-sources/source-settings.store.js';

/** Settings of sources as they are before anybody changed one. */
export function noSettings(): SourceSettingsStore {
  const left = new Set<string>();
  const deletions = new Map<string, number>();
  return {
    leftOut: () => [...left],
    setLeftOut: (key: string, out: boolean) => (out ? left.add(key) : left.delete(key)),
    deletions: () => [...deletions],
    setDeletedAt: (key: string, time: number) => void deletions.set(key, time),
  } as Pick<
    SourceSettingsStore,
    'leftOut' | 'setLeftOut' | 'deletions' | 'setDeletedAt'
  > as SourceSettingsStore;
}

/**
 * Numbers sources, and keeps nothing.
 * @param lines how many of a source are kept elsewhere, where that is asked for
 * @param remove takes away what is kept elsewhere, where that is asked for
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
