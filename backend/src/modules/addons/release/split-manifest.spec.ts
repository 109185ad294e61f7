import { describe, expect, it } from '@jest/globals';
import { isKept, splitManifest } from './split-manifest.js';

const definition = (annotations: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: pools.example.org\n${annotations}`;

describe('an object of a manifest', () => {
  it.each([
    'helm.sh/resource-policy: keep',
    '"helm.sh/resource-policy": keep',
    "helm.sh/resource-policy: 'keep'",
  ])('stays where its chart says %s', (annotation) => {
    expect(splitManifest(definition(`  annotations:\n    ${annotation}\n`)).map(isKept)).toEqual([true]);
  });

  it('goes with its release otherwise', () => {
    const described = definition('spec:\n  description: helm.sh/resource-policy keeps it\n');
    expect(splitManifest(`${definition('')}---\n${described}`).map(isKept)).toEqual([false, false]);
  });
});
