import { describe, expect, it } from '@jest/globals';
import type { ProvisionerStatus } from './cluster-provisioner.js';
import { tagsOfRelease } from './kind/kind-releases.js';
import { judgeTag } from './tag-fit.js';

const DIGEST = `@sha256:${'a'.repeat(64)}`;

function kind(release: string, own?: string): ProvisionerStatus {
  return { name: 'kind', version: `${release}.0`, problem: null, ...tagsOfRelease(release, own) };
}

describe('tagsOfRelease', () => {
  it('returns the default of the binary and the tags of the release notes', () => {
    const { defaultTag, fittingTags, kubernetesRange } = tagsOfRelease('0.33', `v1.37.0${DIGEST}`);
    expect(defaultTag).toBe(`v1.37.0${DIGEST}`);
    expect(fittingTags.map((tag) => tag.split('@')[0])).toEqual([
      'v1.37.0',
      'v1.36.4',
      'v1.35.8',
      'v1.34.11',
    ]);
    expect(fittingTags[0]).toBe(defaultTag);
    expect(kubernetesRange).toEqual({ oldest: 34, newest: 37 });
  });

  it('returns only the default of the binary for an unknown release', () => {
    expect(tagsOfRelease('0.99', `v1.50.0${DIGEST}`)).toEqual({
      defaultTag: `v1.50.0${DIGEST}`,
      fittingTags: [`v1.50.0${DIGEST}`],
      kubernetesRange: null,
      loadBalancerImage: null,
    });
    expect(tagsOfRelease('0.99', undefined).defaultTag).toMatch(/^v1\.\d+\.\d+/);
  });

  it.each(Array.from({ length: 14 }, (_, index) => `0.${20 + index}`))(
    'returns a default and a range for %s',
    (release) => {
      const { defaultTag, kubernetesRange, loadBalancerImage } = tagsOfRelease(release, undefined);
      expect(defaultTag).toMatch(/^v1\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
      expect(kubernetesRange?.oldest).toBeLessThan(kubernetesRange?.newest ?? 0);
      expect(loadBalancerImage).toMatch(/^docker\.io\/(kindest\/haproxy|envoyproxy\/envoy):v\d/);
    },
  );
});

describe('judgeTag', () => {
  it('returns likely for a tag of the release, with or without a digest', () => {
    const status = kind('0.25', 'v1.31.2');
    expect(judgeTag('v1.31.2', status)).toEqual({ fits: 'likely', reason: null });
    expect(judgeTag(`v1.31.2${DIGEST}`, status).fits).toBe('likely');
  });

  it('returns unknown for a tag without the digest that kind pins', () => {
    expect(judgeTag('v1.37.0', kind('0.33')).fits).toBe('unknown');
  });

  it.each([
    ['v1.38.0', 'unlikely', 'is newer than v1.37, the newest for kind 0.33.0'],
    ['v1.33.9', 'unlikely', 'is older than v1.34, the oldest for kind 0.33.0'],
    ['v1.34.4', 'unknown', 'was not built for kind 0.33.0'],
    ['v2.0.0', 'unknown', 'may not be compatible with kind 0.33.0'],
  ])('judges %s as %s for kind 0.33', (tag, fits, words) => {
    const verdict = judgeTag(tag, kind('0.33'));
    expect(verdict.fits).toBe(fits);
    expect(verdict.reason).toContain(words);
  });

  it('returns unknown for an unknown release of kind', () => {
    expect(judgeTag('v1.34.4', kind('0.99', 'v1.50.0')).fits).toBe('unknown');
  });
});
