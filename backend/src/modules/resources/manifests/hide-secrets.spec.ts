import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { HIDDEN_VALUE } from './hidden-value.js';
import { hiddenKeys, hideSecrets, restoreHidden } from './hide-secrets.js';

const CANARY = 'Y2FuYXJ5LTQ3MTE=';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function secret(): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'db',
      namespace: 'shop',
      labels: { app: 'db' },
      annotations: {
        [LAST_APPLIED]: JSON.stringify({ kind: 'Secret', data: { password: CANARY } }),
        'objectset.rio.cattle.io/applied': CANARY,
        'meta.helm.sh/release-name': 'db',
      },
      managedFields: [{ manager: CANARY }],
    },
    data: { password: CANARY, user: 'YWRtaW4=' },
    stringData: { token: CANARY },
    type: 'Opaque',
  };
}

describe('hideSecrets', () => {
  it('hides the values of a Secret and copies of them, and keeps the keys', () => {
    const shown = hideSecrets(secret());
    expect(shown).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'db',
        namespace: 'shop',
        labels: { app: 'db' },
        annotations: {
          [LAST_APPLIED]: HIDDEN_VALUE,
          'objectset.rio.cattle.io/applied': HIDDEN_VALUE,
          'meta.helm.sh/release-name': 'db',
        },
      },
      data: { password: HIDDEN_VALUE, user: HIDDEN_VALUE },
      stringData: { token: HIDDEN_VALUE },
      type: 'Opaque',
    });
    expect(hiddenKeys(secret())).toEqual(['password', 'token', 'user']);
  });

  it('does not modify its input', () => {
    const stored = secret();
    hideSecrets(stored);
    expect(stored).toEqual(secret());
  });

  it('hides Secrets in lists, custom kinds and last-applied annotations', () => {
    const applied = { [LAST_APPLIED]: JSON.stringify({ spec: { objects: [secret()] } }) };
    const bundle = {
      apiVersion: 'shop.example/v1',
      kind: 'Bundle',
      metadata: { name: 'all', annotations: { ...applied, note: 'mine' } },
      spec: { objects: [secret()], template: { kind: 'Secret', stringData: { token: CANARY } } },
    };
    const shown = JSON.stringify(hideSecrets(bundle));
    expect(shown).not.toContain(CANARY);
    expect(shown).toContain('"note":"mine"');
    expect(hiddenKeys(bundle)).toEqual([]);
  });

  it('restoreHidden keeps stored values for <hidden> and takes changed ones', () => {
    const edited = structuredClone(hideSecrets(secret()));
    (edited['data'] as Record<string, string>)['user'] = 'cm9vdA==';
    const restored = restoreHidden(edited, secret());
    expect(restored['data']).toEqual({ password: CANARY, user: 'cm9vdA==' });
    expect(restored.metadata.annotations?.['objectset.rio.cattle.io/applied']).toBe(CANARY);
  });
});

describe('hideSecrets of other objects', () => {
  it('changes nothing', () => {
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', annotations: { [LAST_APPLIED]: '{"kind":"ConfigMap","data":{"Secret":"b"}}' } },
      data: { password: 'in a config map' },
    };
    expect(hideSecrets(map)).toEqual(map);
    expect(hiddenKeys(map)).toEqual([]);
  });

  it('does not hide a custom kind named Secret', () => {
    const other = {
      apiVersion: 'shop.example/v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { a: 'b' },
    };
    expect(hideSecrets(other)).toEqual(other);
  });
});
