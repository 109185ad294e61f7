import { describe, expect, it } from '@jest/globals';
import { isKept, splitManifest } from './split-manifest.js';

const crd = (annotations: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: pools.example.org\n${annotations}`;

describe('isKept', () => {
  it.each([
    'helm.sh/resource-policy: keep',
    '"helm.sh/resource-policy": keep',
    "helm.sh/resource-policy: 'keep'",
  ])('is true for the annotation %s', (annotation) => {
    expect(splitManifest(crd(`  annotations:\n    ${annotation}\n`)).map(isKept)).toEqual([true]);
  });

  it('is false without the annotation', () => {
    const described = crd('spec:\n  description: helm.sh/resource-policy keeps it\n');
    expect(splitManifest(`${crd('')}---\n${described}`).map(isKept)).toEqual([false, false]);
  });
});
