import type { JournalListEntryDto } from '../../shared/api/api-types';
import { kindLabel } from './journal-address';

const DONE: Readonly<Record<string, (objects: string) => string>> = {
  'resource-delete': (objects) => $localize`Deleted ${objects}:objects:`,
  'resource-restart': (objects) => $localize`Restarted ${objects}:objects:`,
  'pod-restart': (objects) => $localize`Restarted ${objects}:objects:`,
  'resource-scale': (objects) => $localize`Scaled ${objects}:objects:`,
};

/** Title of the entries of one request: "Deleted 28 configmaps, 2 failed". @param group their first entry */
export function groupTitle({
  kind,
  subject,
  group_size: all,
  group_failed: failed,
}: JournalListEntryDto): string {
  // A subject begins with the kind: `configmaps/shop/settings`, `jobs.batch/shop/import`.
  const plural = subject?.split(/[./]/, 1)[0] ?? $localize`objects`;
  const objects = `${all - failed} ${plural}`;
  const done = DONE[kind]?.(objects) ?? `${kindLabel(kind)}: ${objects}`;
  return failed === 0 ? done : $localize`${done}:done:, ${failed}:count: failed`;
}
