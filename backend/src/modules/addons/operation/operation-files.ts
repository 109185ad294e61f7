import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../../core/parsing/index.js';
import { DataDirectory, writeFileAtomically } from '../../../core/storage/index.js';
import type { Chart, ChartSource } from '../../../drivers/package-manager/index.js';

interface OperationFiles {
  chart: ChartSource;
  values: string;
  /** Rendered when the job was submitted. The job waits for its resources. */
  manifest: string;
}

/**
 * The chart and values of each job, as they were when the job was submitted. They are private files, because values
 * may contain secrets, and they live as long as their job.
 */
@Injectable()
export class OperationFilesStore {
  constructor(private readonly dataDirectory: DataDirectory) {}

  async write({ source }: Chart, values: string, manifest: string): Promise<string> {
    const id = randomBytes(12).toString('hex');
    const folder = this.folder(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let chart: ChartSource = withoutCredentials(source);
    if (source.type === 'archive') {
      chart = { type: 'archive', file: join(folder, 'chart.tgz') };
      await copyFile(source.file, chart.file);
    }
    await writeFileAtomically(join(folder, 'values.yaml'), values);
    await writeFileAtomically(join(folder, 'manifest.yaml'), manifest);
    await writeFileAtomically(join(folder, 'chart.json'), JSON.stringify(chart));
    return id;
  }

  /** Values only, for an addon that is installed with its cluster. @returns the id of the files. */
  async writeValues(values: string): Promise<string> {
    const id = randomBytes(12).toString('hex');
    await writeFileAtomically(join(this.folder(id), 'values.yaml'), values);
    return id;
  }

  readValues(id: string): Promise<string> {
    return readFile(join(this.folder(id), 'values.yaml'), 'utf8');
  }

  async read(id: string): Promise<OperationFiles> {
    const folder = this.folder(id);
    const [chart, values, manifest] = await Promise.all([
      readFile(join(folder, 'chart.json'), 'utf8'),
      this.readValues(id),
      readFile(join(folder, 'manifest.yaml'), 'utf8'),
    ]);
    return { chart: parseOwnJson<ChartSource>(chart), values, manifest };
  }

  async remove(id: string): Promise<void> {
    await rm(this.folder(id), { recursive: true, force: true });
  }

  /** Removes the files of jobs that have ended. */
  async removeExcept(active: readonly string[]): Promise<void> {
    for (const name of await readdir(this.root).catch(() => [])) {
      if (!active.includes(name)) await rm(join(this.root, name), { recursive: true, force: true });
    }
  }

  private get root(): string {
    return join(this.dataDirectory.helm, 'operations');
  }

  private folder(id: string): string {
    if (!/^[0-9a-f]{24}$/.test(id)) throw new Error('invalid operation id');
    return join(this.root, id);
  }
}

function withoutCredentials(source: ChartSource): ChartSource {
  if (source.type === 'repository') return { ...source, repository: { url: source.repository.url } };
  if (source.type === 'registry') return { ...source, credentials: undefined };
  return source;
}
