import { sourceName } from '../../../core/search/index.js';
import type { LogSourceDto } from '../../../modules/log-sources/index.js';
import { CliError, EXIT } from '../cli-error.js';

/** Of an error message. */
const MAX_SHOWN = 3;
/** Letters that differ between a mistyped name and the one that is suggested. */
const MAX_TYPOS = 2;
/** Short names of kinds, as kubectl has them. */
const KINDS = new Map([
  ['po', 'pod'],
  ['deploy', 'deployment'],
  ['sts', 'statefulset'],
  ['ds', 'daemonset'],
  ['cj', 'cronjob'],
]);

type Named = Pick<
  LogSourceDto,
  'id' | 'key' | 'kind' | 'cluster' | 'namespace' | 'workload' | 'name' | 'container' | 'service'
>;

/** A way to name a source; the owner is cluster and namespace, either or none of them. */
interface Spelling {
  before: string[];
  object: string;
  after: string[];
}

/** How a shorter name can mean a source, nearest first: the first that any source meets counts. */
const SHORTER: readonly ((source: Named, wanted: string) => boolean)[] = [
  (source, wanted) => spell(source).some((one) => meets(one, wanted, (object, part) => object === part)),
  (source, wanted) =>
    spell(source).some((one) => meets(one, wanted, (object, part) => object.startsWith(part))),
  (source, wanted) => (source.container ?? source.service)?.toLowerCase() === wanted,
  (source, wanted) =>
    spell(source).some((one) => meets(one, wanted, (object, part) => object.includes(part))),
];

/**
 * The sources that the user means: each by its id, key or name, or by a shorter name, which can be that of several: a pod,
 * a workload (`Deployment/api`) or a node, with or without the cluster and namespace before it and the container after it.
 * If none has that name, a workload without its kind, the beginning of a name, a container or a part of a name will do, as
 * long as it is that of one workload, pod or node.
 * @throws CliError if a name matches none, or is short for several.
 */
export function chooseSources<TSource extends Named & Pick<LogSourceDto, 'previous' | 'state'>>(
  sources: readonly TSource[],
  wanted: readonly string[],
): TSource[] {
  const chosen = new Set<TSource>();
  for (const name of wanted) {
    const exact = sources.filter((source) =>
      source.previous === null ? spellingsOf(source).has(name) : String(source.id) === name,
    );
    for (const source of exact.length > 0 ? presentOf(exact) : sourcesShortFor(sources, name)) {
      chosen.add(source);
    }
  }
  return [...chosen];
}

function sourcesShortFor<TSource extends Named & Pick<LogSourceDto, 'previous' | 'state'>>(
  sources: readonly TSource[],
  name: string,
): TSource[] {
  const wanted = name.toLowerCase();
  const current = sources.filter(({ previous }) => previous === null);
  for (const isMeant of name === '' || /^\d+$/.test(name) ? [] : SHORTER) {
    const matching = presentOf(current.filter((source) => isMeant(source, wanted)));
    const subjects = [...new Set(matching.map(subjectOf))];
    if (subjects.length === 1) return matching;
    if (subjects.length > 1) {
      const others = subjects.length - MAX_SHOWN;
      const shown = subjects.slice(0, MAX_SHOWN).join(', ') + (others > 0 ? ` and ${others} more` : '');
      throw new CliError(
        `${name} matches several log sources: ${shown}. Name them, or one of them.`,
        EXIT.usage,
      );
    }
  }
  const meant = similarNames(current, wanted);
  const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'List them with: slipway logs';
  throw new CliError(`There is no log source ${name}. ${hint}`, EXIT.notFound);
}

/** Names are used again: a cluster that was recreated has the node names of the one before. */
function presentOf<TSource extends Pick<LogSourceDto, 'state'>>(matching: TSource[]): TSource[] {
  const present = matching.filter(({ state }) => state !== 'gone');
  return present.length > 0 ? present : matching;
}

/** The workload, pod, node or container of a source, by a name that `chooseSources` takes. */
function subjectOf({ cluster, namespace, workload, name, kind }: Named): string {
  return (kind === 'pod' ? [cluster, namespace, workload ?? name] : [name])
    .filter((part) => part !== null)
    .join('/');
}

function similarNames(sources: readonly Named[], wanted: string): string[] {
  const last = wanted.split('/').at(-1) ?? '';
  const typos = Math.min(MAX_TYPOS, Math.floor(last.length / 3));
  const similar = sources.flatMap((source) => {
    const distances = spell(source).map(({ object }) => distanceOf(object.toLowerCase(), last));
    const distance = Math.min(...distances);
    return distance <= typos ? [{ distance, subject: subjectOf(source) }] : [];
  });
  similar.sort((one, other) => one.distance - other.distance);
  return [...new Set(similar.map(({ subject }) => subject))].slice(0, MAX_SHOWN);
}

/** How many letters must be added, removed or replaced. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + (letter === other[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function meets(
  { before, object, after }: Spelling,
  wanted: string,
  isMeant: (object: string, part: string) => boolean,
): boolean {
  const parts = wanted.split('/');
  const [part = '', ...rest] = parts.slice(before.length);
  const owner = parts.slice(0, before.length).map((each) => KINDS.get(each) ?? each);
  return isMeant(object.toLowerCase(), part) && isSame(owner, before) && isSame(rest, after);
}

function isSame(parts: readonly string[], others: readonly string[]): boolean {
  return (
    parts.length === others.length && parts.every((part, index) => part === others[index]?.toLowerCase())
  );
}

/** Each way to name a pod, workload or node, with and without its kind and owner. */
function spell({ kind, cluster, namespace, workload, name, container, service }: Named): Spelling[] {
  const [of, workloadName] = workload?.split('/') ?? [];
  const objects: [kind: string | undefined, name: string][] = [[kind, name]];
  if (workloadName !== undefined) objects.push([of, workloadName]);
  const part = container ?? service;
  return [[], [namespace], [cluster], [cluster, namespace]].flatMap((owner) => {
    const known = owner.filter((each) => each !== null);
    return objects.flatMap(([objectKind, object]) =>
      [known, [...known, objectKind ?? '']].flatMap((before) =>
        [[], part === null ? [] : [part]].map((after) => ({ before, object, after })),
      ),
    );
  });
}

function spellingsOf(source: Named): Set<string> {
  const { id, key, cluster, namespace, workload, name, container, service } = source;
  const owners = [[], [namespace], [cluster], [cluster, namespace]];
  const objects = [[name], [name, container ?? service], [workload]];
  const spellings = owners
    .flatMap((owner) => objects.map((object) => [...owner, ...object]))
    .filter((parts) => !parts.includes(null))
    .map((parts) => parts.join('/'));
  return new Set([String(id), key, sourceName(source), ...spellings]);
}
