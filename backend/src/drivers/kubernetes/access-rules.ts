import { flag, list, parseJson, record, texts } from '../../core/parsing/index.js';
import { hasCode } from '../../core/errors/index.js';
import type { ApiRequest, ApiResponse } from './api-connection.js';

/** The rights of a user, as the server reports them. */
export interface AccessRules {
  /**
   * Whether a verb is surely refused. Some servers do not list all rules: what they do not list may still be allowed.
   * @param verb may name a subresource, as `create exec`
   */
  isForbidden: (verb: string, type: { group: string; plural: string }) => boolean;
}

const REVIEWS = '/apis/authorization.k8s.io/v1';

/** `SelfSubjectAccessReview` and `SelfSubjectRulesReview` of `authorization.k8s.io/v1`. */
const accessReview = record({ status: record({ allowed: flag }) });
const rulesReview = record({
  status: record({
    incomplete: flag,
    resourceRules: list(record({ verbs: texts, apiGroups: texts, resources: texts })),
  }),
});

/** Programs and ports are opened by a GET that is upgraded, for which servers require `get`, and later ones `create` too. */
const OF_PODS = [
  ...['get log', 'get exec', 'create exec', 'get portforward', 'create portforward'],
  ...['patch ephemeralcontainers', 'create eviction'],
];

const NOTHING_FORBIDDEN: AccessRules = { isForbidden: () => false };

/** Verbs of Slipway for subresources of a type, for `isForbidden`. */
export function subresourceVerbs({
  group,
  plural,
  scalable,
}: {
  group: string;
  plural: string;
  scalable?: boolean;
}): string[] {
  return [...(group === '' && plural === 'pods' ? OF_PODS : []), ...(scalable ? ['patch scale'] : [])];
}

/** @param send @throws DomainError for a response with an error status */
export async function readAccessRules(
  send: (request: ApiRequest) => Promise<ApiResponse>,
  namespace: string,
): Promise<AccessRules> {
  const post = async (plural: string, spec: object): Promise<string> =>
    (await send({ method: 'POST', path: `${REVIEWS}/${plural}`, body: JSON.stringify({ spec }) })).text;
  try {
    const all = { resourceAttributes: { verb: '*', group: '*', resource: '*' } };
    const [everything, found] = await Promise.all([
      post('selfsubjectaccessreviews', all),
      post('selfsubjectrulesreviews', { namespace }),
    ]);
    if (accessReview(parseJson(everything))?.status?.allowed) return NOTHING_FORBIDDEN;
    const { status } = rulesReview(parseJson(found)) ?? {};
    const rules = status?.resourceRules ?? [];
    if (!status || status.incomplete) return NOTHING_FORBIDDEN;
    const matches = (wanted: readonly string[] | undefined, value: string): boolean =>
      wanted?.some((one) => one === '*' || one === value) ?? false;
    return {
      isForbidden: (text, { group, plural }) => {
        const [verb = '', part] = text.split(' ');
        return !rules.some(
          (rule) =>
            matches(rule.verbs, verb) &&
            matches(rule.apiGroups, group) &&
            (part === undefined
              ? matches(rule.resources, plural)
              : matches(rule.resources, `${plural}/${part}`) || matches(rule.resources, `*/${part}`)),
        );
      },
    };
  } catch (error) {
    // Some distributions do not serve reviews, or not to everybody. Then the server's refusals tell.
    if (hasCode(error, 'resource_forbidden', 'resource_type_not_found', 'resource_refused')) {
      return NOTHING_FORBIDDEN;
    }
    throw error;
  }
}
