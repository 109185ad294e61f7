import { DestroyRef, inject, signal } from '@angular/core';

/** Whether a media query matches, updated until its component is destroyed. Requires an injection context. */
export function mediaSignal(query: string): () => boolean {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  const changed = (): void => matches.set(list.matches);
  list.addEventListener('change', changed);
  inject(DestroyRef).onDestroy(() => list.removeEventListener('change', changed));
  return matches.asReadonly();
}
