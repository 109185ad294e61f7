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
import { WorkThread } from '../../core/threads/index.js';
import { refused, type ChartDescription } from './describe-chart.js';
import type { Chart } from './package-manager.js';

/** Charts are text; helm itself stops at a hundred megabytes unpacked. */
const LIMITS: ArchiveLimits = { entries: 10_000, bytes: 100_000_000, milliseconds: 30_000 };
/** The files that say what a chart is, with sizes in bytes above any that people write. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  'Chart.yaml': 64_000,
  'values.yaml': 1_000_000,
  'values.schema.json': 1_000_000,
};
/** Definitions of a chart's own, or of one that it depends on, which is packed with it. */
const DEFINITION = /^(?:charts\/[^/]+\/)*crds\/.+\.ya?ml$/;

const charts = new WorkThread(import.meta.url, 'chart-thread');

/**
 * Reads a packed chart without unpacking any of it.
 * @throws DomainError `chart_refused` for what is no chart, has links or paths that lead out of it, or is too large.
 */
export async function readChartArchive(file: string): Promise<Chart> {
  const contents = await readContents(file);
  if (contents.roots.size !== 1) {
    throw refused(
      `it holds ${contents.roots.size === 0 ? 'nothing' : 'more than one folder'}: a chart is one folder`,
    );
  }
  const { texts, definitions } = contents;
  // Also small ones: what a chart says of itself is read for each chart of a list.
  const description = await charts.run<ChartDescription>('describeChart', [Object.fromEntries(texts)]);
  return { ...description, definitions: definitions.sort(), source: { type: 'archive', file } };
}

interface Contents {
  /** Text of the files that say what the chart is, by their path within it. */
  texts: Map<string, string>;
  definitions: string[];
  /** The folders at the top. */
  roots: Set<string>;
}

async function readContents(file: string): Promise<Contents> {
  const contents: Contents = { texts: new Map(), definitions: [], roots: new Set() };
  try {
    await readTar(createReadStream(file), { limits: LIMITS, gzipped: true }, async (entry) => {
      assertPlain(entry);
      const [root = '', ...rest] = posix.normalize(entry.path).replace(/\/$/, '').split('/');
      const inside = rest.join('/');
      contents.roots.add(root);
      if (DEFINITION.test(inside)) contents.definitions.push(posix.basename(inside));
      const most = MAX_BYTES[inside];
      if (most === undefined) return;
      if (contents.texts.has(inside)) throw refused(`it holds ${inside} twice`);
      if (entry.size > most) throw refused(`${inside} is larger than ${most / 1000} kB`);
      contents.texts.set(inside, (await buffer(entry.content)).toString('utf8'));
    });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw refused(
      error instanceof ArchiveLimitError ? error.message : `it is no packed archive (${reasonOf(error)})`,
    );
  }
  return contents;
}

/** A link, an absolute path or one that climbs: the archive is refused whole, rather than read without it. */
function assertPlain({ path, type }: TarEntry): void {
  if (escapesRoot(path)) throw refused(`the path ${shown(path)} leads out of it`);
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') {
    throw refused(`${shown(path)} is no plain file but a ${type}: links are not taken`);
  }
}

function shown(path: string): string {
  return path.slice(0, 100).replace(/[\u0000-\u001f\u007f]/g, '?');
}
