import { createReadStream } from 'node:fs';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { yamlValue } from '../../core/yaml/index.js';
import {
  ArchiveLimitError,
  leadsOut,
  readTar,
  type ArchiveLimits,
  type TarEntry,
} from '../../core/archive/index.js';
import { DomainError, reasonOf } from '../../core/errors/index.js';
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

const NAME = /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,98}[a-zA-Z0-9])?$/;
const VERSION = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,60})?(\+[0-9A-Za-z.-]{1,60})?$/;

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
  return describe(contents, file);
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
  if (leadsOut(path)) throw refused(`the path ${shown(path)} leads out of it`);
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') {
    throw refused(`${shown(path)} is no plain file but a ${type}: links are not taken`);
  }
}

function describe({ texts, definitions }: Contents, file: string): Chart {
  const text = texts.get('Chart.yaml');
  if (text === undefined) throw refused('it holds no Chart.yaml');
  const meta = yamlOf(text, 'Chart.yaml') as Record<string, unknown> | null;
  const word = (key: string): string | null => {
    const value = meta?.[key];
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
  };
  const name = word('name');
  const version = word('version');
  if (name === null || !NAME.test(name)) throw refused('its Chart.yaml has no name that helm takes');
  if (version === null || !VERSION.test(version)) throw refused('its Chart.yaml has no semantic version');
  if (word('type') === 'library') {
    throw refused(`${name} is a library for other charts, and installs nothing`);
  }
  const { dependencies } = meta as { dependencies?: unknown };
  return {
    name,
    version,
    appVersion: word('appVersion'),
    description: word('description') ?? '',
    kubeVersion: word('kubeVersion'),
    defaultValues: texts.get('values.yaml') ?? '',
    schema: schemaOf(texts.get('values.schema.json')),
    definitions: definitions.sort(),
    dependencies: Array.isArray(dependencies)
      ? dependencies.flatMap((one: { name?: unknown } | null) =>
          typeof one?.name === 'string' ? [one.name] : [],
        )
      : [],
    source: { type: 'archive', file },
  };
}

function schemaOf(text: string | undefined): object | null {
  if (text === undefined) return null;
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null) return schema;
  } catch {
    // Told below.
  }
  throw refused('its values.schema.json is not valid JSON');
}

function yamlOf(text: string, name: string): unknown {
  try {
    return yamlValue(text);
  } catch (error) {
    throw refused(`its ${name} is not valid YAML: ${reasonOf(error).split('\n')[0] ?? ''}`);
  }
}

function shown(path: string): string {
  return path.slice(0, 100).replace(/[\u0000-\u001f\u007f]/g, '?');
}

function refused(reason: string): DomainError {
  return new DomainError('chart_refused', `This is not a chart that can be taken: ${reason}.`);
}
