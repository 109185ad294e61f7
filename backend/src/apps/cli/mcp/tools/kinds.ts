import type { ResourceTypeDto } from '../../../../modules/resources/index.js';
import { isTypeName } from '../../../../core/security/grammar.js';
import { CliError, EXIT } from '../../cli-error.js';
import type { ReadApi } from '../tool.js';

interface Cluster {
  cluster: string;
  runtime?: string | undefined;
}

/** Parameters that tools for an object have in common. */
export interface ObjectInput extends Cluster {
  kind: string;
  name: string;
  namespace?: string | undefined;
}

export const OBJECT = '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}/{object}';

interface TypeParams extends Pick<ResourceTypeDto, 'group' | 'version' | 'plural'> {
  name: string;
  runtime: string | undefined;
}

/**
 * The parameters of requests for a kind, which is given as for kubectl, or as group/version/plural.
 * @throws CliError if the cluster does not serve it.
 */
export async function typeParams(api: Pick<ReadApi, 'get'>, of: Cluster, kind: string): Promise<TypeParams> {
  const { group, version, plural } = await findType(api, of, kind);
  return { name: of.cluster, runtime: of.runtime, group, version, plural };
}

export async function objectParams(
  api: Pick<ReadApi, 'get'>,
  { kind, name, namespace, ...of }: ObjectInput,
): Promise<TypeParams & { object: string; namespace: string | undefined }> {
  return { ...(await typeParams(api, of, kind)), object: name, namespace };
}

async function findType(
  api: Pick<ReadApi, 'get'>,
  { cluster, runtime }: Cluster,
  kind: string,
): Promise<Pick<ResourceTypeDto, 'group' | 'version' | 'plural'>> {
  const [group = '', version = '', plural = '', ...more] = kind.split('/');
  const given = { group, version, plural };
  if (more.length === 0 && isTypeName(given)) return given;
  const types = await api.get('/api/v1/clusters/{name}/resources', { name: cluster, runtime });
  const wanted = kind.toLowerCase();
  const found = types.find((type) => isTypeName(type) && namesOf(type).includes(wanted));
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
