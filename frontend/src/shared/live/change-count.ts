import { computed, effect, inject, type Signal, signal, untracked } from '@angular/core';
import type { ServerMessage, Topic } from '../api/api-types';
import { sameJson } from '../format/same-json';
import { LiveConnection } from './live-connection';

/** Many objects change at once, such as the Pods of a rollout. */
const PAUSE_MS = 1000;

/**
 * Counts changes, at most one per second, for `reloadOn` of what is read from the API. Counts periodically without a
 * connection. Requires an injection context, and ends with it.
 * @param topics empty for none
 */
export function changeCount(
  topics: () => readonly Topic[],
  isAbout: (message: ServerMessage) => boolean = () => true,
  pollEveryMs = 5000,
): Signal<number> {
  const live = inject(LiveConnection);
  const count = signal(0);
  const wanted = computed(topics, { equal: sameJson });
  effect((onCleanup) => {
    const followed = wanted();
    if (followed.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        count.update((before) => before + 1);
      }, PAUSE_MS);
    };
    const stop = untracked(() =>
      live.listen({
        topics: followed,
        pollEveryMs,
        refresh: changed,
        onMessage: (message) => {
          if (isAbout(message)) changed();
        },
      }),
    );
    onCleanup(() => {
      clearTimeout(timer);
      stop();
    });
  });
  return count.asReadonly();
}
