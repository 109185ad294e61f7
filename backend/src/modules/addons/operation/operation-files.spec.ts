import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { shopChart } from '../../../../../test/support/charts/fake-package-manager.js';
import { readConfiguration } from '../../../core/config/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { OperationFilesStore } from './operation-files.js';

describe('OperationFilesStore', () => {
  let folder: string;
  let files: OperationFilesStore;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-operations-'));
    files = new OperationFilesStore(DataDirectory.open(readConfiguration({ APP_DATA_DIR: folder })));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('stores the chart without credentials', async () => {
    const source = {
      type: 'registry',
      reference: 'oci://x/shop',
      credentials: { username: 'u', password: 'p' },
    };
    const id = await files.write({ ...shopChart(), source: source as never }, 'a: 1\n', 'kind: X\n');
    expect(await files.read(id)).toEqual({
      chart: { type: 'registry', reference: 'oci://x/shop' },
      values: 'a: 1\n',
      manifest: 'kind: X\n',
    });
  });

  it('removes all files except those of active jobs, and rejects invalid ids', async () => {
    const kept = await files.writeValues('a: 1\n');
    await files.writeValues('b: 2\n');
    await files.removeExcept([kept]);
    expect(readdirSync(join(folder, 'helm', 'operations'))).toEqual([kept]);
    expect(() => files.readValues('../../slipway')).toThrow('invalid operation id');
  });
});
