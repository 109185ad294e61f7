import type { JournalListEntryDto } from '../../shared/api/api-types';

type Actor = NonNullable<JournalListEntryDto['actor']>;

/** The API's names of actors without a user, and their labels. */
const LABELS: Readonly<Record<string, string>> = {
  system: 'Slipway',
  outside: $localize`Outside Slipway`,
};

export interface ShownActor {
  name: string;
  detail: string;
  title: string;
}

export function shownActor({ kind, user, id, name, address }: Actor): ShownActor {
  const detail = address ?? '';
  const from = address === null ? '' : $localize` from ${address}:address:`;
  switch (kind) {
    case 'system':
      return { name: actorText(user), detail: '', title: $localize`Slipway, without a request` };
    case 'outside':
      return { name: actorText(user), detail: '', title: $localize`Another program or the machine` };
    case 'anonymous':
      return { name: $localize`Not signed in`, detail, title: $localize`Not signed in${from}:from:` };
    case 'token':
      return {
        name: $localize`${user}:user:, token ${name ?? id ?? ''}:token:`,
        detail,
        title: $localize`${user}:user:, access token ${name ?? id ?? ''}:token:${from}:from:`,
      };
    case 'session':
      return {
        name: name === null ? user : $localize`${user}:user:, read-only`,
        detail,
        title: $localize`${user}:user:, session ${id ?? ''}:session:${from}:from:`,
      };
    case 'local':
      return { name: user, detail, title: $localize`${user}:user:, without sign-in${from}:from:` };
  }
}

/** Suggestions for the actor filter: users, access tokens and addresses of a page. */
export function actorChoices(entries: readonly JournalListEntryDto[]): string[] {
  const found = entries.flatMap(({ actor }) => {
    if (actor === null) return [];
    const user = actor.kind === 'anonymous' ? null : actorText(actor.user);
    return [user, actor.name, actor.address].filter((text) => text !== null);
  });
  return [...new Set(found)].sort();
}

/** Converts the API's name of an actor to the label, which `readActor` reverses. */
export function actorText(filter: string): string {
  return LABELS[filter] ?? filter;
}

export function readActor(text: string): string {
  const trimmed = text.trim();
  const isLabel = ([, label]: [string, string]): boolean => label.toLowerCase() === trimmed.toLowerCase();
  return Object.entries(LABELS).find(isLabel)?.[0] ?? trimmed;
}
