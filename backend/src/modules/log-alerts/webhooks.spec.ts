import { describe, expect, it } from '@jest/globals';
import type { SealedSecretStore } from '../../core/secrets/index.js';
import { Webhooks } from './webhooks.js';

const HOOK = { url: 'https://chat.example.org/hook', secret: 'known to both sides' };

/** Keeps what it is given, and nothing else. */
function secretsWith(kept: Map<string, string>): SealedSecretStore {
  const store = {
    get: (name: string) => kept.get(name),
    put: (name: string, value: string) => kept.set(name, value),
    remove: (name: string) => kept.delete(name),
  };
  return store as unknown as SealedSecretStore;
}

describe('Webhooks', () => {
  it('uses the slipway form for webhooks of earlier versions', () => {
    const webhooks = new Webhooks(secretsWith(new Map([['alert-webhook:1', JSON.stringify(HOOK)]])));
    expect(webhooks.of(1)).toEqual({ ...HOOK, form: 'slipway' });
  });

  it('stores form, URL and secret', () => {
    const kept = new Map<string, string>();
    const webhooks = new Webhooks(secretsWith(kept));
    webhooks.put(2, { ...HOOK, form: 'discord' });
    expect([...kept.keys()]).toEqual(['alert-webhook:2']);
    expect(webhooks.of(2)).toEqual({ ...HOOK, form: 'discord' });
    expect(webhooks.of(1)).toBeUndefined();
  });
});
