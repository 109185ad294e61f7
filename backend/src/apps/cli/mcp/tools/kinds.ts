import type { ResourceTypeDto } from '../../../../modules/resources/index.js';
import { API_GROUP, API_VERSION, RESOURCE_PLURAL } from '../../../../core/security/grammar.js';
import { CliError, EXIT } from '../../cli-error.js';
import { path } from '../../client/api-client.js';
import type { ReadApi } from '../tool.js';

interface Cluster {
  cluster: string;
  runtime: string | undefined;
}

/**
 * The path of the objects of a kind, which is given as for kubectl, or as group/version/plural.
 * @throws CliError if the cluster does not serve it.
 */
export async function typePath(api: Pick<ReadApi, 'get'>, of: Cluster, kind: string): Promise<string> {
  const { group, version, plural } = await findType(api, of, kind);
  return path`/api/v1/clusters/${of.cluster}/resources/${group}/${version}/${plural}`;
}

export async function objectPath(
  api: Pick<ReadApi, 'get'>,
  of: Cluster,
  kind: string,
  name: string,
): Promise<string> {
  return `${await typePath(api, of, kind)}${path`/${name}`}`;
}

async function findType(
  api: Pick<ReadApi, 'get'>,
  { cluster, runtime }: Cluster,
  kind: string,
): Promise<Pick<ResourceTypeDto, 'group' | 'version' | 'plural'>> {
  const [group = '', version = '', plural = '', ...more] = kind.split('/');
  if (
    more.length === 0 &&
    // A segment such as `..` would lead to another route.
    API_GROUP.test(group) &&
    API_VERSION.test(version) &&
    RESOURCE_PLURAL.test(plural)
  ) {
    return { group, version, plural };
  }
  const types = await api.get<ResourceTypeDto[]>(path`/api/v1/clusters/${cluster}/resources`, { runtime });
  const wanted = kind.toLowerCase();
  const found = types.find((type) => namesOf(type).includes(wanted));
  if (found) return found;
  throw new CliError(
    `Cluster ${cluster} does not serve the kind ${kind}. Use its plural, such as pods, or group/version/plural.`,
    EXIT.notFound,
  );
}

function namesOf({ group, plural, kind, short_names }: ResourceTypeDto): string[] {
  const singular = kind.toLowerCase();
  return [plural, singular, ...short_names, `${plural}.${group}`, `${singular}.${group}`];
}
