import { describe, expect, it } from '@jest/globals';
import type { SealedSecrets } from '../../core/secrets/index.js';
import { Webhooks } from './webhooks.js';

const HOOK = { url: 'https://chat.example.org/hook', secret: 'known to both sides' };

/** Keeps what it is given, and nothing else. */
function secretsWith(kept: Map<string, string>): SealedSecrets {
  const store = {
    get: (name: string) => kept.get(name),
    put: (name: string, value: string) => kept.set(name, value),
    remove: (name: string) => kept.delete(name),
  };
  return { open: () => Promise.resolve(store) } as unknown as SealedSecrets;
}

describe('Webhooks', () => {
  it('uses the slipway form for webhooks of earlier versions', async () => {
    const webhooks = new Webhooks(secretsWith(new Map([['alert-webhook:1', JSON.stringify(HOOK)]])));
    expect(await webhooks.of(1)).toEqual({ ...HOOK, form: 'slipway' });
  });

  it('stores form, URL and secret', async () => {
    const kept = new Map<string, string>();
    const webhooks = new Webhooks(secretsWith(kept));
    (await webhooks.writer()).put(2, { ...HOOK, form: 'discord' });
    expect([...kept.keys()]).toEqual(['alert-webhook:2']);
    expect(await webhooks.of(2)).toEqual({ ...HOOK, form: 'discord' });
    expect(await webhooks.of(1)).toBeUndefined();
  });
});
