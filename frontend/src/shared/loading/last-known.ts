import { linkedSignal, type Signal } from '@angular/core';

/** The last known value of a source, for what stays visible while it is unknown. */
export function lastKnown<T>(source: () => T | null | undefined): Signal<T | undefined> {
  return linkedSignal<T | null | undefined, T | undefined>({
    source,
    computation: (value, before) => value ?? before?.value,
  }).asReadonly();
}
