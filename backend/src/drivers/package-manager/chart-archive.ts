import { createReadStream } from 'node:fs';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  ArchiveLimitError,
  escapesRoot,
  readTar,
  type ArchiveLimits,
  type TarEntry,
} from '../../core/archive/index.js';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import { WorkProcess } from '../../core/work/index.js';
import { refused, type ChartDescription } from './describe-chart.js';
import type { Chart } from './package-manager.js';

/** helm also accepts at most 100 MB. */
const LIMITS: ArchiveLimits = { entries: 10_000, bytes: 100_000_000, milliseconds: 30_000 };
/** The files to read, with their maximum sizes. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  'Chart.yaml': 64_000,
  'values.yaml': 1_000_000,
  'values.schema.json': 1_000_000,
};
/** CRDs of the chart or its dependencies. */
const CRD_FILE = /^(?:charts\/[^/]+\/)*crds\/.+\.ya?ml$/;

const charts = new WorkProcess(import.meta.url, 'chart-process');

/**
 * Reads a packaged chart.
 * @throws DomainError `chart_refused` if it is invalid, is too large, or contains links or paths that leave it.
 */
export async function readChartArchive(file: string): Promise<Chart> {
  const contents = await readContents(file);
  if (contents.roots.size !== 1) {
    throw refused('it must contain exactly one top-level folder');
  }
  const { texts, crds } = contents;
  const description = await charts.run<ChartDescription>('describeChart', [Object.fromEntries(texts)]);
  return { ...description, crds: crds.sort(), source: { type: 'archive', file } };
}

interface Contents {
  /** Files by their path in the chart. */
  texts: Map<string, string>;
  crds: string[];
  roots: Set<string>;
}

async function readContents(file: string): Promise<Contents> {
  const contents: Contents = { texts: new Map(), crds: [], roots: new Set() };
  try {
    await readTar(createReadStream(file), { limits: LIMITS, gzipped: true }, async (entry) => {
      assertRegular(entry);
      const [root = '', ...rest] = posix.normalize(entry.path).replace(/\/$/, '').split('/');
      const inside = rest.join('/');
      contents.roots.add(root);
      if (CRD_FILE.test(inside)) contents.crds.push(posix.basename(inside));
      const most = MAX_BYTES[inside];
      if (most === undefined) return;
      if (contents.texts.has(inside)) throw refused(`it contains ${inside} twice`);
      if (entry.size > most) throw refused(`${inside} is larger than ${most / 1000} kB`);
      contents.texts.set(inside, (await buffer(entry.content)).toString('utf8'));
    });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw refused(
      error instanceof ArchiveLimitError ? error.message : `it is not a .tgz archive (${reasonOf(error)})`,
    );
  }
  return contents;
}

/** Rejects the archive because of a link, or a path that leaves it. */
function assertRegular({ path, type }: TarEntry): void {
  if (escapesRoot(path)) throw refused(`the path ${shown(path)} leaves the archive`);
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') {
    throw refused(`${shown(path)} is a ${type}, which is not allowed`);
  }
}

function shown(path: string): string {
  return path.slice(0, 100).replace(/[\u0000-\u001f\u007f]/g, '?');
}
