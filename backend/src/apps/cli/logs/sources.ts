import { sourceName } from '../../../core/search/index.js';
import type { LogSourceDto } from '../../../modules/log-sources/index.js';
import { CliError, EXIT } from '../cli-error.js';

/** Of an error message. */
const MAX_SIMILAR = 3;

type Named = Pick<
  LogSourceDto,
  'id' | 'key' | 'kind' | 'cluster' | 'namespace' | 'workload' | 'name' | 'container' | 'service'
>;

/**
 * The sources that the user means: each by its id, key or name, or by a shorter name, which can be that of several: a pod,
 * a workload (`Deployment/api`) or a node, with or without the cluster and namespace before it and the container after it.
 * @throws CliError if a name matches none.
 */
export function chooseSources<TSource extends Named & Pick<LogSourceDto, 'previous' | 'state'>>(
  sources: readonly TSource[],
  wanted: readonly string[],
): TSource[] {
  const chosen = new Set<TSource>();
  for (const name of wanted) {
    const matching = sources.filter((source) =>
      source.previous === null ? spellingsOf(source).has(name) : String(source.id) === name,
    );
    if (matching.length === 0) {
      const meant = similarNames(sources, name);
      const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'List them with: slipway logs';
      throw new CliError(`There is no log source ${name}. ${hint}`, EXIT.notFound);
    }
    // Names are used again: a cluster that was recreated has the node names of the one before.
    const present = matching.filter(({ state }) => state !== 'gone');
    for (const source of present.length > 0 ? present : matching) chosen.add(source);
  }
  return [...chosen];
}

/** Workloads without their kind, and names in another case. */
function similarNames(sources: readonly Named[], wanted: string): string[] {
  const owner = wanted.split('/');
  const last = owner.pop();
  const similar = sources.flatMap((source) => {
    const { workload } = source;
    const [kind, name] = workload?.split('/') ?? [];
    const whole = name === last ? [...owner, `${kind}/${name}`].join('/') : wanted;
    return [...spellingsOf(source)].filter((each) => each.toLowerCase() === whole.toLowerCase());
  });
  return [...new Set(similar)].slice(0, MAX_SIMILAR);
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
