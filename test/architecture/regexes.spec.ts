import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('the check of regex literals', () => {
  it('reports literals that take more than linear time, and no other', () => {
    const fixtures = join(__dirname, '..', 'fixtures', 'regexes');
    const { status, stderr } = spawnSync(process.execPath, [join(__dirname, 'regexes.mjs'), fixtures], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^slow\.js:1: \/\^\(a\+\)\+\$\/ takes more than linear time\./),
      expect.stringMatching(/^slow\.js:2: .* takes more than linear time\./),
    ]);
  });
});
