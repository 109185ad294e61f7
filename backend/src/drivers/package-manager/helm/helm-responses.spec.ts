import { describe, expect, it } from '@jest/globals';
import { contentsIn, releasesIn } from './helm-responses.js';

describe('releasesIn', () => {
  it.each([
    ['two-parts-0.6', 'two-parts', '0.6'],
    ['one-part-3', 'one-part', '3'],
    ['with-v-v1.2.3', 'with-v', 'v1.2.3'],
    ['with-build-1.2.3+up4.5.6.git-abcdef', 'with-build', '1.2.3+up4.5.6.git-abcdef'],
    ['pre-release-1.2.3-rc.1+k8s', 'pre-release', '1.2.3-rc.1+k8s'],
    ['dated-1.2.3-2026-01', 'dated', '1.2.3-2026-01'],
    ['k8s-2-home-0.6', 'k8s-2-home', '0.6'],
    ['two-parts-0.6-rc.1', 'two-parts', '0.6-rc.1'],
    ['two-parts-v2', 'two-parts', 'v2'],
    ['one-3+build-5', 'one', '3+build-5'],
    ['without-version', 'without-version', ''],
  ])('splits %s into name and version', (chart, name, version) => {
    const listed = [{ name: 'r', namespace: 'n', revision: '1', status: 'deployed', chart }];
    expect(releasesIn(JSON.stringify(listed))).toMatchObject([{ chart: name, version }]);
  });
});

describe('contentsIn', () => {
  it('cleans notes of a chart from what controls a terminal or reorders text', () => {
    const notes = '\u001b[1;32mReady\u001b[0m shop\r\n<b>not bold</b>\n\u202etxt.exe\n\tTab and ü 🚢\n';
    expect(contentsIn(JSON.stringify({ info: { notes }, config: {}, manifest: '' })).notes).toBe(
      'Ready shop\n<b>not bold</b>\n\ufffdtxt.exe\n\tTab and ü 🚢',
    );
  });
});
