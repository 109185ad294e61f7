import { createReadStream } from 'node:fs';
import { posix } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { parse as parseYaml } from 'yaml';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import type { Chart } from './package-manager.js';

const MAX_ENTRIES = 10_000;
/** Charts are text; helm itself stops at a hundred megabytes unpacked. */
const MAX_UNPACKED_BYTES = 100_000_000;
/** Above any Chart.yaml, values.yaml and schema that is written by people. */
const MAX_FILE_BYTES = 5_000_000;

/** The files that say what a chart is. */
const DESCRIBING = ['Chart.yaml', 'values.yaml', 'values.schema.json'];
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
  let entries = 0;
  let problem: string | undefined;
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry: ReadEntry) => {
      entries += 1;
      if (entries > MAX_ENTRIES) problem ??= `it holds more than ${MAX_ENTRIES} files`;
      problem ??= problemOf(entry);
      const [root = '', ...rest] = posix.normalize(entry.path).replace(/\/$/, '').split('/');
      const inside = rest.join('/');
      contents.roots.add(root);
      if (DEFINITION.test(inside)) contents.definitions.push(posix.basename(inside));
      if (problem === undefined && DESCRIBING.includes(inside)) {
        if (contents.texts.has(inside)) problem = `it holds ${inside} twice`;
        else if (entry.size > MAX_FILE_BYTES) problem = `${inside} is larger than ${MAX_FILE_BYTES / 1e6} MB`;
        else {
          collect(entry, (text) => contents.texts.set(inside, text));
          return;
        }
      }
      entry.resume();
    },
  });
  try {
    await pipeline([createReadStream(file), createGunzip(), bounded(), parser]);
  } catch (error) {
    throw error instanceof DomainError ? error : refused(`it is no packed archive (${reasonOf(error)})`);
  }
  if (problem !== undefined) throw refused(problem);
  return contents;
}

/** A link, an absolute path or one that climbs: the archive is refused whole, rather than read without it. */
function problemOf({ path, type }: ReadEntry): string | undefined {
  if (leadsOut(path)) return `the path ${shown(path)} leads out of it`;
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') {
    return `${shown(path)} is no plain file but a ${type}: links are not taken`;
  }
  return undefined;
}

function collect(entry: ReadEntry, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  entry.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
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
    return parseYaml(text, { maxAliasCount: 100 });
  } catch (error) {
    throw refused(`its ${name} is not valid YAML: ${reasonOf(error).split('\n')[0] ?? ''}`);
  }
}

function leadsOut(path: string): boolean {
  return (
    path.startsWith('/') || /[\\\0]/.test(path) || /^[a-z]:/i.test(path) || path.split('/').includes('..')
  );
}

function shown(path: string): string {
  return path.slice(0, 100).replace(/[\u0000-\u001f\u007f]/g, '?');
}

/** Stops what unpacks to more than any chart. */
function bounded(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > MAX_UNPACKED_BYTES) done(refused(`it unpacks to more than ${MAX_UNPACKED_BYTES / 1e6} MB`));
      else done(null, chunk);
    },
  });
}

function refused(reason: string): DomainError {
  return new DomainError('chart_refused', `This is not a chart that can be taken: ${reason}.`);
}
