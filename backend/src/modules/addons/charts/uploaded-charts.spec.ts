import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../../core/config/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { UploadedCharts } from './uploaded-charts.js';

describe('uploaded charts', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'uploaded-charts-'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('of which an earlier run took half are removed at the start, and no others', async () => {
    const directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));
    mkdirSync(directory.charts, { recursive: true });
    for (const file of ['.0011.part', 'shop-1.0.0.tgz']) writeFileSync(join(directory.charts, file), 'x');
    await new UploadedCharts(directory).onModuleInit();
    expect(readdirSync(directory.charts)).toEqual(['shop-1.0.0.tgz']);
  });
});
