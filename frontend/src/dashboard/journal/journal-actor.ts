import type { JournalEntryDto } from '../../shared/api/api-types';

type Actor = NonNullable<JournalEntryDto['actor']>;

/** What the filter calls Slipway itself, and how it is shown. */
const SYSTEM = 'system';
const SLIPWAY = 'Slipway';

/** An actor as the journal shows it. */
export interface ShownActor {
  name: string;
  /** The address, or empty where there is none. */
  detail: string;
  /** Everything that is known. */
  title: string;
}

export function shownActor({ kind, user, id, name, address }: Actor): ShownActor {
  const detail = address ?? '';
  const from = address === null ? '' : ` from ${address}`;
  switch (kind) {
    case 'system':
      return { name: SLIPWAY, detail: '', title: 'Slipway itself, without a request' };
    case 'anonymous':
      return { name: 'Not signed in', detail, title: `Not signed in${from}` };
    case 'token':
      return {
        name: `${user}, token ${name ?? id ?? ''}`,
        detail,
        title: `${user}, access token ${name ?? id ?? ''}${from}`,
      };
    case 'session':
      return { name: user, detail, title: `${user}, session ${id ?? ''}${from}` };
    case 'local':
      return { name: user, detail, title: `${user}, without sign-in${from}` };
  }
}

/** Names, access tokens and addresses of a page, to choose from. */
export function actorChoices(entries: readonly JournalEntryDto[]): string[] {
  const found = entries.flatMap(({ actor }) => {
    if (actor === null) return [];
    const user = actor.kind === 'anonymous' ? null : actorText(actor.user);
    return [user, actor.name, actor.address].filter((text) => text !== null);
  });
  return [...new Set(found)].sort();
}

/** A filter as it is typed, and back: Slipway is `system` to the server. */
export function actorText(filter: string): string {
  return filter === SYSTEM ? SLIPWAY : filter;
}

export function readActor(text: string): string {
  const trimmed = text.trim();
  return trimmed.toLowerCase() === SLIPWAY.toLowerCase() ? SYSTEM : trimmed;
}
