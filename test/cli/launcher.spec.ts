import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';

describe('bin/slipway', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-launcher-'));
    const node = join(folder, 'node');
    writeFileSync(
      node,
      '#!/bin/sh\n[ "$1" = --version ] && echo v24.0.0 && exit\necho "ignores ${SLIPWAY_IGNORES_SIGHUP:-nothing}"\n',
    );
    chmodSync(node, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    [[], 'ignores nothing\n'],
    [['nohup'], 'ignores 1\n'],
  ])('passes on whether SIGHUP is ignored, started by %j', (before, expected) => {
    const [program, ...rest] = [...before, 'sh', join(readProject().root, 'bin', 'slipway')] as const;
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    expect(execFileSync(program, rest, { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString()).toBe(
      expected,
    );
  });
});
