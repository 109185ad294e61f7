import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packChart } from '../../../../../test/support/charts/own-chart.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { readConfiguration } from '../../../core/config/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { JournalService } from '../../journal/index.js';
import { UploadedCharts } from './uploaded-charts.js';

describe('UploadedCharts', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'uploaded-charts-'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('removes partial uploads at startup', async () => {
    const directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));
    mkdirSync(directory.charts, { recursive: true });
    for (const file of ['.0011.part', 'shop-1.0.0.tgz']) writeFileSync(join(directory.charts, file), 'x');
    await new UploadedCharts(directory, strictFake(JournalService, {})).onModuleInit();
    expect(readdirSync(directory.charts)).toEqual(['shop-1.0.0.tgz']);
  });

  it('finds the newest uploaded version above one, without those of other charts and prereleases', async () => {
    const directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));
    mkdirSync(directory.charts, { recursive: true });
    for (const file of ['shop-0.2.0', 'shop-0.10.0', 'shop-1.0.0-rc.1', 'shop-api-2.0.0']) {
      writeFileSync(join(directory.charts, `${file}.tgz`), '');
    }
    const charts = new UploadedCharts(directory, strictFake(JournalService, {}));
    expect(await charts.newerThan('shop', '0.2.0')).toBe('0.10.0');
    expect(await charts.newerThan('shop', '0.10.0')).toBeNull();
    expect(await charts.newerThan('shop', '1.0.0-rc.0')).toBe('1.0.0-rc.1');
    expect(await charts.newerThan('other', '0.1.0')).toBeNull();
  });

  it('reads the charts one after another', async () => {
    const directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));
    mkdirSync(directory.charts, { recursive: true });
    for (let index = 0; index < 5; index += 1) {
      const chart = { name: 'shop', version: `1.0.${index}`, files: {} };
      writeFileSync(join(directory.charts, `shop-1.0.${index}.tgz`), await packChart(chart));
    }
    const openFiles = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(directory.charts);
        } catch {
          return false;
        }
      }).length;
    const seen: number[] = [];
    let isReading = true;
    const poll = (): void => {
      seen.push(openFiles());
      if (isReading) setImmediate(poll);
    };
    poll();
    const charts = await new UploadedCharts(directory, strictFake(JournalService, {})).list();
    isReading = false;
    expect(charts.map(({ version }) => version)).toEqual(['1.0.4', '1.0.3', '1.0.2', '1.0.1', '1.0.0']);
    expect(Math.max(...seen)).toBe(1);
  });
});
