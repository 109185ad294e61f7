import { yamlValue } from '../../../../core/yaml/index.js';
import type { ApiType } from '../api-types.js';
import type { ApiObject } from '../shapes.js';
import { type ApiFailure, badRequest } from '../status.js';
import { isFields, type Fields } from './merge-keys.js';

/** Fields at an object's top, beside its kind, version and metadata; for kinds that have neither spec nor status. */
const TOP_FIELDS: Readonly<Record<string, readonly string[]>> = {
  configmaps: ['data', 'binaryData', 'immutable'],
  secrets: ['data', 'stringData', 'type', 'immutable'],
  endpoints: ['subsets'],
  endpointslices: ['addressType', 'endpoints', 'ports'],
  serviceaccounts: ['secrets', 'imagePullSecrets', 'automountServiceAccountToken'],
  roles: ['rules'],
  clusterroles: ['rules', 'aggregationRule'],
  rolebindings: ['roleRef', 'subjects'],
  clusterrolebindings: ['roleRef', 'subjects'],
  storageclasses: [
    'provisioner',
    'parameters',
    'reclaimPolicy',
    'mountOptions',
    'allowVolumeExpansion',
    'volumeBindingMode',
    'allowedTopologies',
  ],
  priorityclasses: ['value', 'globalDefault', 'description', 'preemptionPolicy'],
  controllerrevisions: ['data', 'revision'],
  events: [
    'involvedObject',
    'reason',
    'message',
    'source',
    'firstTimestamp',
    'lastTimestamp',
    'count',
    'type',
    'eventTime',
    'series',
    'action',
    'related',
    'reportingComponent',
    'reportingInstance',
  ],
};
const COMMON = ['apiVersion', 'kind', 'metadata'];
const INTEGERS = ['replicas', 'minReplicas', 'maxReplicas', 'parallelism', 'completions', 'backoffLimit'];
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The text of a request as a value. @throws ApiFailure 400 */
export function decode(body: string | undefined, type: Pick<ApiType, 'kind'>): Fields {
  let value: unknown;
  try {
    // JSON is YAML, but its own parser is the faster one.
    value = (body ?? '').trimStart().startsWith('{') ? JSON.parse(body ?? '') : yamlValue(body ?? '');
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind; json parse error: ${why}`,
    );
  }
  if (!isFields(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind`,
    );
  }
  return value;
}

/** What an object says that it is. */
export function kindIn({ apiVersion, kind }: Fields): { apiVersion: string; kind: string } {
  return {
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
  };
}

/** Fields that the kind does not have, in the order in which they are written. */
export function unknownFields(object: Fields, type: ApiType): string[] {
  if (type.custom) return [];
  const own = TOP_FIELDS[type.plural] ?? ['spec', 'status'];
  return Object.keys(object).filter((field) => !COMMON.includes(field) && !own.includes(field));
}

/** What a value would have to be for its field. @throws ApiFailure 400 */
export function checkShape(object: ApiObject, type: ApiType): void {
  if (type.custom) return;
  const refuse = (why: string): ApiFailure =>
    badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${why}`);
  const { data, stringData, spec } = object as ApiObject & Fields;
  if (spec !== undefined && !isFields(spec)) {
    throw refuse(
      `json: cannot unmarshal ${nameOf(spec)} into Go struct field ${type.kind}.spec of type v1.${type.kind}Spec`,
    );
  }
  for (const field of INTEGERS) {
    const value = spec?.[field];
    if (value !== undefined && value !== null && !Number.isInteger(value)) {
      throw refuse(
        `json: cannot unmarshal ${nameOf(value)} into Go struct field ${type.kind}Spec.spec.${field} of type int32`,
      );
    }
  }
  if (type.plural !== 'configmaps' && type.plural !== 'secrets') return;
  for (const [field, values] of [
    ['data', data],
    ['stringData', stringData],
  ] as const) {
    for (const value of Object.values((values ?? {}) as Fields)) {
      if (typeof value !== 'string') {
        throw refuse(
          `json: cannot unmarshal ${nameOf(value)} into Go struct field ${type.kind}.${field} of type string`,
        );
      }
      if (type.plural === 'secrets' && field === 'data' && !BASE64.test(value)) {
        const at = /[^A-Za-z0-9+/=]/.exec(value)?.index ?? value.length;
        throw refuse(`illegal base64 data at input byte ${at}`);
      }
    }
  }
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
