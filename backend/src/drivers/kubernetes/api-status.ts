import { asSentence, DomainError, reasonOf, type ErrorCode } from '../../core/errors/index.js';
import type { ApiResponse } from './api-connection.js';
import type { TypeName } from './resource-api.js';

/** Kubernetes' own record of a refusal (`meta/v1 Status`), as far as it is read. */
export interface ApiStatus {
  kind?: string;
  reason?: string;
  message?: string;
  code?: number;
  details?: { name?: string; kind?: string; causes?: StatusCause[] };
}

interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** What was asked for, as far as an error tells of it. */
export interface Asked {
  cluster: string;
  type?: TypeName;
  name?: string;
}

/** What Node calls the ways of not answering, and what a person does. */
const SILENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens on its port',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  TimeoutError: 'it took too long',
};

const LONGEST = 2000;
/** What validation says of a field without repeating its value. */
const TELLS_NO_VALUE = ['FieldValueForbidden', 'FieldValueRequired', 'FieldValueNotFound'];

/** Reads a refusal, whatever sent it: a proxy on the way answers in plain text. */
export function statusOf(answer: ApiResponse): ApiStatus {
  try {
    const status = JSON.parse(answer.text) as ApiStatus | null;
    if (status?.kind === 'Status') return status;
  } catch {
    // Not one of Kubernetes.
  }
  return { code: answer.status, message: answer.text.split('\n')[0] ?? '' };
}

/** The error for an answer that refuses, for the person who asked. */
export function refusal(answer: ApiResponse, asked: Asked): DomainError {
  const status = statusOf(answer);
  const said = sentence(status.message ?? '');
  const { cluster } = asked;
  switch (answer.status) {
    case 401:
      return fail(
        'resource_forbidden',
        `Cluster ${cluster} does not accept the credentials of its kubeconfig.`,
      );
    case 403:
      return isOfSecret(asked)
        ? refused(status, asked, 'resource_forbidden')
        : fail('resource_forbidden', `Cluster ${cluster} forbids this: ${said}`);
    case 404:
      return notFound(status, asked);
    case 409:
      return conflict(status, asked);
    case 410:
      return fail(
        'page_expired',
        'This list was begun too long ago: the cluster has changed since and no longer knows its next page. Read it anew.',
      );
    case 429:
    case 502:
    case 503:
    case 504:
      return fail(
        'cluster_unreachable',
        `The API server of cluster ${cluster} cannot answer now (${answer.status}: ${said}) Try again in a moment.`,
      );
    default:
      if (answer.status === 400 && /continue (key|token)/.test(status.message ?? '')) {
        return fail('page_expired', 'The token of the next page is not one of this list. Read it anew.');
      }
      if (answer.status < 500 || isOwnFault(status)) return refused(status, asked);
      return fail(
        'cluster_unreachable',
        isOfSecret(asked)
          ? `The API server of cluster ${cluster} failed (${answer.status}).`
          : `The API server of cluster ${cluster} failed (${answer.status}): ${said}`,
      );
  }
}

/** The error for a question that nobody answered. */
export function unreachable(cluster: string, error: unknown): DomainError {
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: string };
  const reason = SILENCES[code] ?? SILENCES[name] ?? reasonOf(error);
  return fail(
    'cluster_unreachable',
    `The API server of cluster ${cluster} does not answer: ${reason}. Is the cluster running?`,
  );
}

function notFound({ details, message = '' }: ApiStatus, { cluster, type, name }: Asked): DomainError {
  const plural = type ? typeName(type) : 'this kind of resource';
  // Of a type that is not served a server knows no details, and says so in many ways.
  if (name === undefined || (details?.name === undefined && details?.kind === undefined)) {
    if (/namespace/i.test(details?.kind ?? '')) return fail('resource_not_found', sentence(message));
    return fail('resource_type_not_found', `Cluster ${cluster} does not serve ${plural}.`);
  }
  // Something that it needs is missing, such as its namespace.
  if (details.name !== undefined && details.name !== name) {
    return fail('resource_not_found', sentence(message));
  }
  return fail('resource_not_found', `There is no ${name} among the ${plural} of cluster ${cluster}.`);
}

function conflict(status: ApiStatus, asked: Asked): DomainError {
  const fields = (status.details?.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ message = '', field = '' }) => ({
      manager: /conflict with "([^"]*)"/.exec(message)?.[1] ?? 'somebody else',
      field,
    }));
  if (fields.length > 0) {
    const list = fields.map(({ manager, field }) => `${field} (${manager})`).join(', ');
    return new DomainError(
      'resource_conflict',
      `Others manage what would be changed: ${list}. Leave these fields out, or take them over by force.`,
      { conflicts: fields },
    );
  }
  const name = asked.name ?? status.details?.name ?? 'The object';
  if (status.reason === 'AlreadyExists') {
    return fail('resource_conflict', `${name} exists already in cluster ${asked.cluster}.`);
  }
  if (/has been modified/.test(status.message ?? '')) {
    return fail('resource_conflict', `${name} was changed by somebody else since it was read. Read it anew.`);
  }
  return isOfSecret(asked)
    ? fail('resource_conflict', `${name} is not as it was when it was read. Read it anew.`)
    : fail('resource_conflict', sentence(status.message ?? ''));
}

function refused(status: ApiStatus, asked: Asked, code: ErrorCode = 'resource_refused'): DomainError {
  const secret = isOfSecret(asked);
  const causes = (status.details?.causes ?? []).map(({ field = '', message = '', reason = '' }) => ({
    field,
    problem: secret && !TELLS_NO_VALUE.includes(reason) ? 'is not accepted' : message.slice(0, LONGEST),
  }));
  const said = secret ? withoutValues(status, causes) : sentence(status.message ?? '');
  return new DomainError(
    code,
    `Cluster ${asked.cluster} refuses this: ${said}`,
    causes.length > 0 ? causes : undefined,
  );
}

/** A wrong value is quoted by most of what validation says, and a Secret's must not be. */
function withoutValues({ message = '' }: ApiStatus, causes: { field: string; problem: string }[]): string {
  if (causes.length > 0) {
    return sentence(causes.map(({ field, problem }) => `${field} ${problem}`).join('; '));
  }
  const typed = /: (\.[\w.[\]-]+): expected (\w+), got/.exec(message);
  if (typed) return `${typed[1]} is not a ${typed[2]}.`;
  if (message.includes('illegal base64 data')) return 'a value of its data is not Base64.';
  if (/^[\w.]+ "[^"]*" not found$/.test(message)) return sentence(message);
  return 'the reason may quote a secret value and is left out. Check each field of the Secret.';
}

/** Mistakes of who wrote the object which the API server calls its own. */
function isOwnFault({ message = '' }: ApiStatus): boolean {
  return /failed to create typed (patch )?object|failed calling webhook|admission webhook|illegal base64 data/.test(
    message,
  );
}

function isOfSecret({ type }: Asked): boolean {
  return type?.group === '' && type.plural === 'secrets';
}

function typeName({ group, plural }: TypeName): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function sentence(text: string): string {
  const said = text.trim().slice(0, LONGEST);
  return said === '' ? 'it gives no reason.' : asSentence(said);
}

function fail(code: ErrorCode, message: string): DomainError {
  return new DomainError(code, message);
}
