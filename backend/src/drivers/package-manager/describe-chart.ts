import { DomainError } from '../../core/errors/domain-error.js';
import { reasonOf } from '../../core/errors/reason-of.js';
import { MAX_DEPTH, yamlValue } from '../../core/yaml/index.js';
import type { Chart } from './package-manager.js';

const NAME = /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,98}[a-zA-Z0-9])?$/;
const VERSION = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,60})?(\+[0-9A-Za-z.-]{1,60})?$/;

/** A chart as far as its own files tell. */
export type ChartDescription = Omit<Chart, 'definitions' | 'source'>;

/**
 * Reads what a chart says of itself.
 * @param texts of its files, by their path within it.
 * @throws DomainError `chart_refused`
 */
export function describeChart(texts: Readonly<Record<string, string>>): ChartDescription {
  const text = texts['Chart.yaml'];
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
    defaultValues: texts['values.yaml'] ?? '',
    schema: schemaOf(texts['values.schema.json']),
    dependencies: Array.isArray(dependencies)
      ? dependencies.flatMap((one: { name?: unknown } | null) =>
          typeof one?.name === 'string' ? [one.name] : [],
        )
      : [],
  };
}

function schemaOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    // As below.
  }
  if (typeof schema !== 'object' || schema === null) {
    throw refused('its values.schema.json is not valid JSON');
  }
  if (nestsTooDeeply(schema)) {
    throw refused(`its values.schema.json nests deeper than ${MAX_DEPTH} levels`);
  }
  return text;
}

function nestsTooDeeply(root: object): boolean {
  const waiting: { value: object; depth: number }[] = [{ value: root, depth: 1 }];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const { value, depth } = entry;
    if (depth > MAX_DEPTH) return true;
    for (const child of Object.values(value) as unknown[]) {
      if (typeof child === 'object' && child !== null) waiting.push({ value: child, depth: depth + 1 });
    }
  }
  return false;
}

function yamlOf(text: string, name: string): unknown {
  try {
    return yamlValue(text);
  } catch (error) {
    throw refused(`its ${name} is not valid YAML: ${reasonOf(error).split('\n')[0] ?? ''}`);
  }
}

export function refused(reason: string): DomainError {
  return new DomainError('chart_refused', `This is not a chart that can be taken: ${reason}.`);
}
