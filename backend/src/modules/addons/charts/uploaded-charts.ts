import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { receiveUpload } from '../../../core/api/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import {
  CHART_NAME,
  CHART_VERSION,
  readChartArchive,
  type Chart,
} from '../../../drivers/package-manager/index.js';
import { JournalService } from '../../journal/index.js';
import { MAX_CHART_BYTES } from '../common/addon.js';
import { compareVersions, newestAbove } from './newest-version.js';

const MAX_CHARTS = 100;

@Injectable()
export class UploadedCharts implements OnModuleInit {
  constructor(
    private readonly dataDirectory: DataDirectory,
    private readonly journal: JournalService,
  ) {}

  /** Removes partial uploads of a killed server. */
  async onModuleInit(): Promise<void> {
    const files = await readdir(this.folder).catch(() => []);
    for (const name of files.filter((file) => file.endsWith('.part'))) {
      await rm(join(this.folder, name), { force: true });
    }
  }

  /** Sorted by name, newest version first. */
  async list(): Promise<Chart[]> {
    const files = (await readdir(this.folder).catch(() => [])).filter((name) => name.endsWith('.tgz'));
    const charts: Chart[] = [];
    // Sequential, because each may unpack to 100 MB.
    for (const name of files) {
      const chart = await readChartArchive(join(this.folder, name)).catch(() => undefined);
      if (chart) charts.push(chart);
    }
    return charts.sort(
      (one, other) => one.name.localeCompare(other.name) || compareVersions(other.version, one.version),
    );
  }

  /** The newest version above the given one, by file names: to read each archive takes long. Null without one. */
  async newerThan(name: string, version: string): Promise<string | null> {
    const prefix = `${name}-`;
    const files = (await readdir(this.folder).catch(() => [])).filter(
      (file) => file.startsWith(prefix) && file.endsWith('.tgz'),
    );
    const versions = files
      .map((file) => file.slice(prefix.length, -'.tgz'.length))
      // Another chart's name may begin with this one's.
      .filter((each) => /^\d/.test(each) && CHART_VERSION.test(each));
    return newestAbove(version, versions);
  }

  /** @throws DomainError `chart_not_found` */
  async get(name: string, version?: string): Promise<Chart> {
    const found = (await this.list()).find(
      (chart) => chart.name === name && (version === undefined || chart.version === version),
    );
    if (found) return found;
    throw new DomainError(
      'chart_not_found',
      `Uploaded chart ${name.slice(0, 100)}${version === undefined ? '' : ` ${version.slice(0, 100)}`} does not exist.`,
    );
  }

  /**
   * Stores a packaged chart and replaces an existing one of the same name and version.
   * @throws DomainError `chart_refused`, `payload_too_large` or `storage_unavailable`.
   */
  async add(content: Readable): Promise<Chart> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.folder, `.${randomBytes(8).toString('hex')}.part`);
    try {
      await receive(content, temporary);
      const chart = await readChartArchive(temporary);
      const known = await this.list();
      const replaces = known.some(({ name, version }) => name === chart.name && version === chart.version);
      if (!replaces && known.length >= MAX_CHARTS) {
        throw new DomainError(
          'chart_refused',
          `The maximum of ${MAX_CHARTS} uploaded charts is reached. Delete some first.`,
        );
      }
      const file = this.file(chart.name, chart.version);
      await rename(temporary, file);
      this.record(`Uploaded chart ${chart.name} ${chart.version}.`);
      return { ...chart, source: { type: 'archive', file } };
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** @throws DomainError `chart_not_found` */
  async remove(name: string, version: string): Promise<void> {
    await this.get(name, version);
    await rm(this.file(name, version), { force: true });
    this.record(`Deleted uploaded chart ${name} ${version}. Releases installed from it stay.`);
  }

  private record(message: string): void {
    this.journal.recordEventually({ kind: 'chart-upload', message });
  }

  private file(name: string, version: string): string {
    if (!CHART_NAME.test(name) || !CHART_VERSION.test(version)) {
      throw new Error('invalid chart name or version');
    }
    return join(this.folder, `${name}-${version}.tgz`);
  }

  private get folder(): string {
    return this.dataDirectory.charts;
  }
}

async function receive(content: Readable, file: string): Promise<void> {
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MAX_CHART_BYTES ? tooLarge() : null, chunk);
    },
  });
  await receiveUpload('a packaged chart (.tgz)', 'chart_refused', async () => {
    await pipeline(content, bounded, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
    return bytes;
  });
}

function tooLarge(): DomainError {
  const message = `The chart is larger than the maximum of ${MAX_CHART_BYTES / 1e6} MB.`;
  return new DomainError('payload_too_large', message);
}
