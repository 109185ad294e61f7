import { describe, expect, it } from '@jest/globals';
import type { ProvisionerStatus } from './cluster-provisioner.js';
import { tagsOfRelease } from './kind/kind-releases.js';
import { judgeTag } from './tag-fit.js';

const DIGEST = `@sha256:${'a'.repeat(64)}`;

function kind(release: string, own?: string): ProvisionerStatus {
  return { name: 'kind', version: `${release}.0`, problem: null, ...tagsOfRelease(release, own) };
}

describe('the tags of a kind release', () => {
  it('are those of its notes, with what the program itself has in front', () => {
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

  it('of one that is newer than this product are what the program has, and no more', () => {
    expect(tagsOfRelease('0.99', `v1.50.0${DIGEST}`)).toEqual({
      defaultTag: `v1.50.0${DIGEST}`,
      fittingTags: [`v1.50.0${DIGEST}`],
      kubernetesRange: null,
      loadBalancerImage: null,
    });
    expect(tagsOfRelease('0.99', undefined).defaultTag).toMatch(/^v1\.\d+\.\d+/);
  });

  it.each(Array.from({ length: 14 }, (_, index) => `0.${20 + index}`))(
    '%s has a default in its range',
    (release) => {
      const { defaultTag, kubernetesRange, loadBalancerImage } = tagsOfRelease(release, undefined);
      expect(defaultTag).toMatch(/^v1\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
      expect(kubernetesRange?.oldest).toBeLessThan(kubernetesRange?.newest ?? 0);
      expect(loadBalancerImage).toMatch(/^docker\.io\/(kindest\/haproxy|envoyproxy\/envoy):v\d/);
    },
  );
});

describe('a tag', () => {
  it('that was made for the installed kind fits, with its digest or as it is bare', () => {
    const status = kind('0.25', 'v1.31.2');
    expect(judgeTag('v1.31.2', status)).toEqual({ fits: 'likely', reason: null });
    expect(judgeTag(`v1.31.2${DIGEST}`, status).fits).toBe('likely');
  });

  it('that is bare may be another build than the one that kind pins', () => {
    expect(judgeTag('v1.37.0', kind('0.33')).fits).toBe('unknown');
  });

  it.each([
    ['v1.38.0', 'unlikely', 'newer than what kind 0.33.0 was made for (up to v1.37)'],
    ['v1.33.9', 'unlikely', 'older than what kind 0.33.0 was made for (from v1.34)'],
    ['v1.34.4', 'unknown', 'a neighbour of it was'],
    ['v2.0.0', 'unknown', 'is not known to be made for kind 0.33.0'],
  ])('%s is %s to fit kind 0.33', (tag, fits, words) => {
    const verdict = judgeTag(tag, kind('0.33'));
    expect(verdict.fits).toBe(fits);
    expect(verdict.reason).toContain(words);
  });

  it('is judged by nothing where the kind is not known', () => {
    expect(judgeTag('v1.34.4', kind('0.99', 'v1.50.0')).fits).toBe('unknown');
  });
});
