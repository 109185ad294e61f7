import type { TypeName } from '../../../drivers/kubernetes/index.js';

/** Kinds that a port-forward can target, as named in API paths. */
export const FORWARD_PLURALS = [
  'pods',
  'services',
  'deployments',
  'statefulsets',
  'daemonsets',
  'replicasets',
  'jobs',
] as const;
export type ForwardPlural = (typeof FORWARD_PLURALS)[number];

/** A program's protocol. Those of `http` and `https` are also served as a web page. */
export const FORWARD_PROTOCOLS = ['tcp', 'http', 'https'] as const;
export type ForwardProtocol = (typeof FORWARD_PROTOCOLS)[number];

/** The port of an object that a port-forward leads to. */
export interface ForwardTo {
  plural: ForwardPlural;
  namespace: string;
  object: string;
  /** Number or name. */
  port: string;
}

export function typeOf(plural: ForwardPlural): TypeName {
  const group = plural === 'pods' || plural === 'services' ? '' : plural === 'jobs' ? 'batch' : 'apps';
  return { group, version: 'v1', plural };
}

const KINDS: Readonly<Record<ForwardPlural, string>> = {
  pods: 'Pod',
  services: 'Service',
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  replicasets: 'ReplicaSet',
  jobs: 'Job',
};

/** For messages: `Service shop/web`. */
export function nameOfTarget({ plural, namespace, object }: Omit<ForwardTo, 'port'>): string {
  return `${KINDS[plural]} ${namespace}/${object}`;
}
