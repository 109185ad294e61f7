import { describe, expect, it } from '@jest/globals';
import type { JournalListEntryDto } from '../../shared/api/api-types';
import { actorChoices, actorText, readActor, shownActor } from './journal-actor';

const NOTHING = { id: null, name: null, address: null };
const SESSION = { ...NOTHING, kind: 'session', user: 'ada', id: 'b3JpZ2', address: '10.0.0.7' } as const;
const TOKEN = { ...SESSION, kind: 'token', id: 't-1', name: 'ci' } as const;
const LOCAL = { ...SESSION, kind: 'local', id: null } as const;
const SYSTEM = { ...NOTHING, kind: 'system', user: 'system' } as const;
const OUTSIDE = { ...NOTHING, kind: 'outside', user: 'outside' } as const;
const FAILED = { ...NOTHING, kind: 'anonymous', user: 'anonymous', address: '192.0.2.1' } as const;

describe('journal actors', () => {
  it.each([
    [{ ...SESSION, name: 'read-only' }, 'ada, read-only', '10.0.0.7', 'ada, session b3JpZ2 from 10.0.0.7'],
    [SESSION, 'ada', '10.0.0.7', 'ada, session b3JpZ2 from 10.0.0.7'],
    [TOKEN, 'ada, token ci', '10.0.0.7', 'ada, access token ci from 10.0.0.7'],
    [LOCAL, 'ada', '10.0.0.7', 'ada, without sign-in from 10.0.0.7'],
    [SYSTEM, 'Slipway', '', 'Slipway, without a request'],
    [OUTSIDE, 'Outside Slipway', '', 'Another program or the machine'],
    [FAILED, 'Not signed in', '192.0.2.1', 'Not signed in from 192.0.2.1'],
    [{ ...FAILED, address: null }, 'Not signed in', '', 'Not signed in'],
  ])('show %j as %s', (actor, name, detail, title) => {
    expect(shownActor(actor)).toEqual({ name, detail, title });
  });

  it('are suggested by user, access token and address, each once', () => {
    const actors = [SESSION, TOKEN, SYSTEM, FAILED, SESSION, null];
    expect(actorChoices(actors.map((actor) => ({ actor }) as JournalListEntryDto))).toEqual([
      ...['10.0.0.7', '192.0.2.1', 'Slipway', 'ada', 'ci'],
    ]);
  });

  it('show the API’s actors without a user by their labels', () => {
    expect([' slipway ', 'outside slipway', 'ada '].map(readActor)).toEqual(['system', 'outside', 'ada']);
    expect(['system', 'outside', 'ada'].map(actorText)).toEqual(['Slipway', 'Outside Slipway', 'ada']);
  });
});
