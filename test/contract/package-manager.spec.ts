import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../backend/src/core/config/index.js';
import {
  HelmPackageManager,
  type PackageManagerStatus,
} from '../../backend/src/drivers/package-manager/index.js';
import { LocalProcessRunner } from '../../backend/src/drivers/process/index.js';
import { ProgramStage } from '../support/programs/program-stage.js';

describe('helm as it is found', () => {
  let folder: string;
  let stage: ProgramStage | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helm-'));
  });

  afterEach(async () => {
    await stage?.close();
    stage = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const statusWith = async (output: string, exitStatus = 0): Promise<PackageManagerStatus> => {
    stage = await ProgramStage.open(folder, {
      helm: (running) => {
        running.print('stdout', output);
        running.exit(exitStatus);
        return Promise.resolve();
      },
    });
    const configuration = readConfiguration({ PATH: stage.bin, APP_HELM: join(stage.bin, 'helm') });
    return await new HelmPackageManager(new LocalProcessRunner(configuration)).status();
  };

  it.each([
    ['v3.16.2+g13654a5\n', '3.16.2'],
    ['v4.2.4+gabcdef0\n', '4.2.4'],
  ])('is used when it says %j', async (output, version) => {
    expect(await statusWith(output)).toEqual({ name: 'helm', version, problem: null });
    expect(stage?.calls.map(({ args }) => args)).toEqual([['version', '--short']]);
  });

  it.each([
    ['Client: &version.Version{SemVer:"v2.17.0"}\n', 0, 'does not tell its version'],
    ['v2.17.0+g1\n', 0, 'helm 2.17.0 is none that is known here'],
    ['v5.0.0\n', 0, '3 or 4 is needed'],
    ['', 1, 'does not work'],
  ])('is not when it says %j', async (output, exitStatus, words) => {
    const { problem } = await statusWith(output, exitStatus);
    expect(problem?.reason).toContain(words);
    expect(problem?.fix).toContain('https://helm.sh/');
  });

  it('is told as missing where it is not', async () => {
    const configuration = readConfiguration({ PATH: folder, APP_HELM: join(folder, 'helm') });
    const { version, problem } = await new HelmPackageManager(new LocalProcessRunner(configuration)).status();
    expect([version, problem?.reason]).toEqual([null, 'helm is not on this machine.']);
  });
});
