import { asSentence, DomainError, hasCode, reasonOf, type ErrorCode } from '../../core/errors/index.js';
import { jsonValue, list, number, prose, record, word, type Read } from '../../core/parsing/index.js';
import type { ApiResponse } from './api-connection.js';
import type { TypeName } from './resource-api.js';

/** With which Kubernetes rejects a request. */
export const readStatus = record({
  kind: word,
  status: word,
  message: prose(),
  reason: word,
  code: number,
  details: record({
    name: word,
    kind: word,
    causes: list(record({ reason: word, message: prose(), field: prose(4096) }), 1000),
  }),
});
export type ApiStatus = Read<typeof readStatus>;

/** The request that failed, for the message. */
export interface ErrorContext {
  cluster: string;
  type?: TypeName;
  name?: string;
}

/** A field in an apply that another manager owns. */
interface FieldConflict {
  manager: string;
  field: string;
}

const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens on its port',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  TimeoutError: 'it took too long',
};

const MAX_LENGTH = 2000;
/** Validation causes whose messages do not quote the value of the field. */
const CAUSES_WITHOUT_VALUE = ['FieldValueForbidden', 'FieldValueRequired', 'FieldValueNotFound'];

/** Errors of etcd and its client about an object, with status 500. */
const TOO_LARGE = /etcdserver: request is too large|trying to send message larger than max/;

/** Parses an error response. A proxy may respond with plain text. */
export function statusOf(response: ApiResponse): ApiStatus {
  const status = readStatus(jsonValue(response.text));
  if (status?.kind === 'Status') return status;
  return { code: response.status, message: response.text.slice(0, MAX_LENGTH).split('\n')[0] ?? '' };
}

export function responseError(response: ApiResponse, context: ErrorContext): DomainError {
  const status = statusOf(response);
  const said = sentence(status.message ?? '');
  const { cluster } = context;
  if (response.status === 413 || TOO_LARGE.test(status.message ?? '')) {
    return fail(
      'payload_too_large',
      `The object is too large for cluster ${cluster}: ${said} By default, etcd takes 1.5 MB per object, and the API server 3 MB per request.`,
    );
  }
  switch (response.status) {
    case 401:
      return fail(
        'resource_forbidden',
        `Cluster ${cluster} does not accept the credentials of its kubeconfig.`,
      );
    case 403:
      return isOfSecret(context)
        ? refused(status, context, 'resource_forbidden')
        : fail('resource_forbidden', `Cluster ${cluster} forbids this: ${said}`);
    case 404:
      return notFound(status, context);
    case 409:
      return conflict(status, context);
    case 410:
      return fail('page_expired', 'The list has expired because the cluster changed. Reload it.');
    case 429:
    case 502:
    case 503:
    case 504:
      return fail(
        'cluster_unreachable',
        `The API server of cluster ${cluster} is not available now (${response.status}: ${said}) Try again in a moment.`,
      );
    default:
      if (response.status === 400 && /continue (key|token)/.test(status.message ?? '')) {
        return fail('page_expired', 'The continue token does not belong to this list. Reload it.');
      }
      if (response.status < 500 || isInvalidObject(status)) return refused(status, context);
      return fail(
        'cluster_unreachable',
        isOfSecret(context)
          ? `The API server of cluster ${cluster} failed (${response.status}).`
          : `The API server of cluster ${cluster} failed (${response.status}): ${said}`,
      );
  }
}

/** Whether an apply was rejected because of fields of one manager, and of no other. */
export function isOnlyWith(error: unknown, manager: string): boolean {
  if (!hasCode(error, 'resource_conflict')) return false;
  const { conflicts } = (error.details ?? {}) as { conflicts?: FieldConflict[] };
  return conflicts !== undefined && conflicts.every((conflict) => conflict.manager === manager);
}

export function unreachable(cluster: string, error: unknown): DomainError {
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: string };
  const reason = CONNECTION_ERRORS[code] ?? CONNECTION_ERRORS[name] ?? reasonOf(error);
  return fail(
    'cluster_unreachable',
    `The API server of cluster ${cluster} does not respond: ${reason}. Check that the cluster is running.`,
  );
}

function notFound({ details, message = '' }: ApiStatus, { cluster, type, name }: ErrorContext): DomainError {
  const plural = type ? typeName(type) : 'this kind of resource';
  // For a type that is not served, the Status has no details.
  if (name === undefined || (details?.name === undefined && details?.kind === undefined)) {
    if (/namespace/i.test(details?.kind ?? '')) return fail('resource_not_found', sentence(message));
    return fail('resource_type_not_found', `Cluster ${cluster} does not serve ${plural}.`);
  }
  // Another object is missing, such as the namespace.
  if (details.name !== undefined && details.name !== name) {
    return fail('resource_not_found', sentence(message));
  }
  return fail('resource_not_found', `${name} does not exist in the ${plural} of cluster ${cluster}.`);
}

function conflict(status: ApiStatus, context: ErrorContext): DomainError {
  const fields = (status.details?.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ message = '', field = '' }): FieldConflict => ({
      manager: /conflict with "([^"]*)"/.exec(message)?.[1] ?? 'another manager',
      field,
    }));
  if (fields.length > 0) {
    const list = fields.map(({ manager, field }) => `${field} (${manager})`).join(', ');
    return new DomainError(
      'resource_conflict',
      `Other field managers own these fields: ${list}. Omit the fields, or take them over with force.`,
      { conflicts: fields },
    );
  }
  const name = context.name ?? status.details?.name ?? 'The object';
  if (status.reason === 'AlreadyExists') {
    return fail('resource_conflict', `${name} already exists in cluster ${context.cluster}.`);
  }
  if (isOfSecret(context) || /has been modified/.test(status.message ?? '')) {
    return fail('resource_conflict', `${name} has changed since you read it. Reload it.`);
  }
  return fail('resource_conflict', sentence(status.message ?? ''));
}

function refused(
  status: ApiStatus,
  context: ErrorContext,
  code: ErrorCode = 'resource_refused',
): DomainError {
  const secret = isOfSecret(context);
  const causes = (status.details?.causes ?? []).map(({ field = '', message = '', reason = '' }) => ({
    field,
    problem: secret && !CAUSES_WITHOUT_VALUE.includes(reason) ? 'is invalid' : message.slice(0, MAX_LENGTH),
  }));
  const said = secret ? withoutValues(status, causes) : sentence(status.message ?? '');
  return new DomainError(
    code,
    `Cluster ${context.cluster} rejected the request: ${said}`,
    causes.length > 0 ? causes : undefined,
  );
}

/** Most validation messages quote the invalid value, which must not be shown for a Secret. */
function withoutValues({ message = '' }: ApiStatus, causes: { field: string; problem: string }[]): string {
  if (causes.length > 0) {
    return sentence(causes.map(({ field, problem }) => `${field} ${problem}`).join('; '));
  }
  const typed = /: (\.[\w.[\]-]+): expected (\w+), got/.exec(message);
  if (typed) return `${typed[1]} is not a ${typed[2]}.`;
  if (message.includes('illegal base64 data')) return 'a value of its data is not valid Base64.';
  if (/^[\w.]+ "[^"]*" not found$/.test(message)) return sentence(message);
  return 'the reason is omitted because it may quote a secret value. Check each field of the Secret.';
}

/** Mistakes in the object for which the API server returns 500. */
function isInvalidObject({ message = '' }: ApiStatus): boolean {
  return /failed to create typed (patch )?object|failed calling webhook|admission webhook|illegal base64 data/.test(
    message,
  );
}

function isOfSecret({ type }: ErrorContext): boolean {
  return type?.group === '' && type.plural === 'secrets';
}

function typeName({ group, plural }: TypeName): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function sentence(text: string): string {
  const said = text.trim().slice(0, MAX_LENGTH);
  return said === '' ? 'it gave no reason.' : asSentence(said);
}

function fail(code: ErrorCode, message: string): DomainError {
  return new DomainError(code, message);
}
