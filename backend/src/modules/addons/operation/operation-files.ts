import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { DataDirectory, writeFileAtomically } from '../../../core/storage/index.js';
import type { Chart, ChartSource } from '../../../drivers/package-manager/index.js';

/** What a job installs. */
export interface OperationFiles {
  chart: ChartSource;
  values: string;
  /** As it was rendered when the job was asked for: what there will be to wait for. */
  manifest: string;
}

/**
 * What jobs install: the chart as it was looked at, and values, which may hold secrets. Private files that live as
 * long as their job, so that neither the database nor a repository that changes meanwhile has a part in it.
 */
@Injectable()
export class OperationFilesStore {
  constructor(private readonly dataDirectory: DataDirectory) {}

  /** @returns the name under which they are kept. */
  async keep({ source }: Chart, values: string, manifest: string): Promise<string> {
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

  /** Values alone, of an addon that is installed with its cluster. */
  async keepValues(values: string): Promise<string> {
    const id = randomBytes(12).toString('hex');
    await writeFileAtomically(join(this.folder(id), 'values.yaml'), values);
    return id;
  }

  readValues(id: string): Promise<string> {
    return readFile(join(this.folder(id), 'values.yaml'), 'utf8');
  }

  async read(id: string): Promise<OperationFiles> {
    const text = (name: string): Promise<string> => readFile(join(this.folder(id), name), 'utf8');
    const [chart, values, manifest] = await Promise.all(
      ['chart.json', 'values.yaml', 'manifest.yaml'].map(text),
    );
    return {
      chart: JSON.parse(chart ?? '') as ChartSource,
      values: values ?? '',
      manifest: manifest ?? '',
    };
  }

  async remove(id: string): Promise<void> {
    await rm(this.folder(id), { recursive: true, force: true });
  }

  /** Removes those of no job that is still to be put right. */
  async removeBut(wanted: readonly string[]): Promise<void> {
    for (const name of await readdir(this.root).catch(() => [])) {
      if (!wanted.includes(name)) await rm(join(this.root, name), { recursive: true, force: true });
    }
  }

  private get root(): string {
    return join(this.dataDirectory.helm, 'operations');
  }

  private folder(id: string): string {
    if (!/^[0-9a-f]{24}$/.test(id)) throw new Error('this is not the name of an operation');
    return join(this.root, id);
  }
}

function withoutCredentials(source: ChartSource): ChartSource {
  if (source.type === 'repository') return { ...source, repository: { url: source.repository.url } };
  if (source.type === 'registry') return { ...source, credentials: undefined };
  return source;
}
