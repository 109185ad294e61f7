import { DomainError } from '../../core/errors/domain-error.js';
import { reasonOf } from '../../core/errors/reason-of.js';
import { jsonValue, list, record, text as textReader } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { kubernetesYaml, MAX_DEPTH, yamlValue } from '../../core/yaml/index.js';
import type { Chart } from './package-manager.js';

/** helm takes any name without a slash. */
export const CHART_NAME = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,99}$/;
/** As helm's parser of versions: minor and patch may be missing, and some charts add a leading v. */
export const CHART_VERSION =
  /^v?\d{1,9}(?:\.\d{1,9}(?:\.\d{1,9})?)?(?:-[0-9A-Za-z.-]{1,60})?(?:\+[0-9A-Za-z.-]{1,60})?$/;

const dependencies = list(record({}, { name: textReader(1024) }));

export type ChartDescription = Omit<Chart, 'crds' | 'source'>;

/** @param texts the chart's files by path. @throws DomainError `chart_refused` */
export function describeChart(texts: Readonly<Record<string, string>>): ChartDescription {
  const text = texts['Chart.yaml'];
  if (text === undefined) throw refused('it contains no Chart.yaml');
  const meta = recordOf(yamlOf(text));
  const textOf = (key: string): string | null => {
    const value = meta[key];
    if (typeof value === 'string') return value;
    const isPlain = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
    return isPlain ? String(value) : null;
  };
  const name = textOf('name');
  const version = textOf('version');
  if (name === null || !CHART_NAME.test(name)) {
    throw refused('the name in its Chart.yaml is missing or invalid');
  }
  if (version === null || !CHART_VERSION.test(version)) {
    throw refused('the version in its Chart.yaml is not a version, such as 1.4.0');
  }
  if (textOf('type') === 'library') {
    throw refused(`${name} is a library chart, which cannot be installed`);
  }
  return {
    name,
    version,
    appVersion: textOf('appVersion'),
    description: textOf('description') ?? '',
    kubeVersion: textOf('kubeVersion'),
    defaultValues: texts['values.yaml'] ?? '',
    schema: schemaOf(texts['values.schema.json']),
    dependencies: (dependencies(meta['dependencies']) ?? []).map((one) => one.name),
  };
}

function schemaOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const schema = jsonValue(text);
  if (typeof schema !== 'object' || schema === null) {
    throw refused('its values.schema.json is not valid JSON');
  }
  if (nestsTooDeeply(schema)) {
    throw refused(`its values.schema.json is nested more than ${MAX_DEPTH} levels deep`);
  }
  return text;
}

/** Level by level, because recursion could overflow the stack. */
function nestsTooDeeply(root: object): boolean {
  let level: object[] = [root];
  for (let depth = 1; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    level = level
      .flatMap((value): unknown[] => Object.values(value))
      .filter((value): value is object => typeof value === 'object' && value !== null);
  }
  return level.length > 0;
}

function yamlOf(text: string): unknown {
  try {
    return yamlValue(text, { ...kubernetesYaml, uniqueKeys: false });
  } catch (error) {
    throw refused(`its Chart.yaml is not valid YAML: ${reasonOf(error).split('\n')[0] ?? ''}`);
  }
}

export function refused(reason: string): DomainError {
  return new DomainError('chart_refused', `This is not a valid chart: ${reason}.`);
}
