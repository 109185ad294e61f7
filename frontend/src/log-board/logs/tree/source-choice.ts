import type { LogSourceDto } from '../../../shared/api/api-types';

/** Which sources are shown: named one by one, or by what they belong to, also those that come later. */
export type SourceChoice =
  { keys: readonly string[] } | { belongs: Readonly<Partial<Record<Belonging, string>>> };

const BELONGINGS = ['runtime', 'cluster', 'namespace', 'workload', 'pod', 'container', 'node'] as const;
type Belonging = (typeof BELONGINGS)[number];

/** Parameters of the address that choose sources. */
export const CHOICE_PARAMETERS = ['sources', ...BELONGINGS] as const;

export function readChoice(read: (name: string) => string | null): SourceChoice {
  const sources = read('sources');
  if (sources !== null) return { keys: sources.split(',').filter(Boolean) };
  const belongs: Partial<Record<Belonging, string>> = {};
  for (const name of BELONGINGS) {
    const value = read(name);
    if (value) belongs[name] = value;
  }
  return Object.keys(belongs).length === 0 ? { keys: [] } : { belongs };
}

/** What the address says for sources that were chosen one by one; null takes a parameter away. */
export function choiceParameters(keys: readonly string[]): Record<string, string | null> {
  const none = Object.fromEntries(BELONGINGS.map((name) => [name, null]));
  return { ...none, sources: keys.length === 0 ? null : keys.join(',') };
}

export function isChosen(source: LogSourceDto, choice: SourceChoice): boolean {
  if ('keys' in choice) return choice.keys.includes(source.key);
  return Object.entries(choice.belongs).every(([name, value]) =>
    belongsTo(source, name as Belonging, value, choice.belongs.pod !== undefined),
  );
}

/** Said in words, for a page whose sources are not there yet. */
export function choiceWords(choice: SourceChoice): string {
  if ('keys' in choice) return choice.keys.length === 1 ? 'this source' : 'these sources';
  return Object.entries(choice.belongs)
    .map(([name, value]) => `${name === 'runtime' ? 'engine' : name} ${value}`)
    .join(', ');
}

function belongsTo(source: LogSourceDto, name: Belonging, value: string, ofPod: boolean): boolean {
  switch (name) {
    case 'runtime':
      return source.runtime === value;
    case 'cluster':
      return source.cluster === value;
    case 'namespace':
      return source.namespace === value;
    case 'workload':
      return source.workload === value || source.workload?.endsWith(`/${value}`) === true;
    case 'pod':
      return source.kind === 'pod' && source.name === value;
    case 'container':
      // Of a pod: the one of that name, or its only one. Alone: a container of an engine.
      if (!ofPod) return source.kind === 'container' && source.name === value;
      return source.container === value || source.container === null;
    case 'node':
      return source.kind !== 'pod' && source.cluster !== null && source.name === value;
  }
}
