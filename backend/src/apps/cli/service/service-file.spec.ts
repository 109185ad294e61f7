import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../../../test/support/server/server-process.js';
import { launchdAgent, systemdUnit } from './service-file.js';

const program = '/opt/100% mine/bin/slipway';
const environment = { PATH: '/usr/bin:/home/"a"<b>&c', XDG_DATA_HOME: '/data/me' };

describe('systemdUnit', () => {
  it('passes paths as they are, without specifiers of systemd', () => {
    expect(systemdUnit({ program, environment })).toContain(
      'ExecStart="/opt/100%% mine/bin/slipway" serve\nEnvironment="PATH=/usr/bin:/home/\\"a\\"<b>&c"\nEnvironment="XDG_DATA_HOME=/data/me"\n',
    );
  });

  const analyze = '/usr/bin/systemd-analyze';
  (existsSync(analyze) ? it : it.skip)('is valid for systemd, without warnings', async () => {
    const { path, remove } = await temporaryFolder();
    const file = join(path, 'slipway.service');
    writeFileSync(file, systemdUnit({ program: process.execPath, environment }));
    const { status, stderr } = spawnSync(analyze, ['--user', '--man=no', 'verify', file], {
      env: { XDG_RUNTIME_DIR: path },
      encoding: 'utf8',
    });
    await remove();
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('slipway')) }).toEqual({
      status: 0,
      stderr: [],
    });
  });

  it('has no option that implies NoNewPrivileges in a user manager', () => {
    const options = systemdUnit({ program, environment })
      .split('\n')
      .map((line) => line.split('=')[0] ?? '');
    const implying =
      /^(NoNewPrivileges|SystemCall|Restrict|Private|Protect|MemoryDenyWriteExecute|LockPersonality|DynamicUser)/;
    expect(options.filter((option) => implying.test(option))).toEqual([]);
  });
});

describe('launchdAgent', () => {
  it('escapes paths for XML', () => {
    expect(launchdAgent({ program, environment })).toContain(
      '<string>/usr/bin:/home/"a"&lt;b&gt;&amp;c</string>',
    );
  });
});
