import { describe, expect, it } from '@jest/globals';
import { manifestDiff } from './manifest-diff.js';

const config = (mood: string, name = 'settings'): string =>
  `---\n# Source: shop/templates/config.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  mood: ${mood}\n`;
const secret = (password: string): string =>
  `---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: till\nstringData:\n  password: ${password}\n`;

describe('manifestDiff', () => {
  it('lists added, changed and removed objects', async () => {
    const before = config('calm') + config('calm', 'old') + config('calm', 'same');
    const after = config('calm', 'same') + config('eager') + config('calm', 'new');
    const { changes, unchanged } = await manifestDiff(before, after);
    expect(changes.map(({ change, name }) => [change, name])).toEqual([
      ['changed', 'settings'],
      ['added', 'new'],
      ['removed', 'old'],
    ]);
    expect(unchanged).toBe(1);
    expect(changes[0]).toMatchObject({ kind: 'ConfigMap', api_version: 'v1', namespace: null });
    expect([changes[0]?.before, changes[0]?.after]).toEqual([
      expect.stringContaining('mood: calm'),
      expect.stringContaining('mood: eager'),
    ]);
  });

  it('masks the values of Secrets and marks a hidden change', async () => {
    const { changes } = await manifestDiff(secret('canary-one'), secret('canary-two'));
    expect(changes).toHaveLength(1);
    expect(JSON.stringify(changes)).not.toContain('canary');
    expect(changes[0]?.after).toContain('differ');
  });

  it('matches objects across API versions of a group', async () => {
    const of = (version: string): string =>
      `apiVersion: policy/${version}\nkind: PodDisruptionBudget\nmetadata: { name: web }\n`;
    expect((await manifestDiff(of('v1beta1'), of('v1'))).changes.map(({ change }) => change)).toEqual([
      'changed',
    ]);
  });

  it('finds the names of objects that are too large to parse', async () => {
    const long = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels:\n    name: other\n  name: "dashboard"\n  namespace: monitoring\ndata:\n  json: '${'x'.repeat(30_000)}'\n`;
    expect((await manifestDiff('', long)).changes).toMatchObject([
      { name: 'dashboard', namespace: 'monitoring' },
    ]);
  });
});
