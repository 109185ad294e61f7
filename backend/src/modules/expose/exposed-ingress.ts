import { invalidField } from '../../core/errors/index.js';
import { list, number, record, word, type Read } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import type { ServicePortName } from './exposed-service.js';

const ingressPort = record({ number, name: word });
const backend = record({ service: record({ name: word, port: ingressPort }) });
const rules = list(record({ host: word, http: record({ paths: list(record({ path: word, backend })) }) }));

type IngressPort = Read<typeof ingressPort>;
type IngressRule = Read<typeof rules>[number];

export interface IngressTarget {
  namespace: string;
  /** Of the Service, and of a new Ingress. */
  service: string;
  port: ServicePortName;
  className: string;
}

export interface ChosenIngress {
  name: string;
  host: string;
  /** Null if it is to be created. */
  stored: KubernetesObject | null;
}

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

/** The default IngressClass, otherwise the only one. */
export function classOf(classes: readonly KubernetesObject[]): KubernetesObject | undefined {
  const marked = classes.find(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true');
  return marked ?? (classes.length === 1 ? classes[0] : undefined);
}

/** Why there is no class to use. */
export function classProblem(classes: readonly KubernetesObject[]): string {
  const names = classes.map(({ metadata }) => metadata.name).join(', ');
  return classes.length === 0
    ? 'the cluster has no IngressClass. Install an ingress controller, such as the addon Traefik'
    : `the cluster has several IngressClasses and no default: ${names}. Mark one as the default`;
}

/** Whether browsers resolve a host name to their own machine. */
export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * The Ingress that already leads to a Service, or the name and host of a new one.
 * @param ingresses of all namespaces: they share their hosts
 * @param wanted its host; by default one that is free
 * @returns null if another Ingress has the name
 * @throws DomainError `invalid_input` if another Ingress has the host
 */
export function chooseIngress(
  ingresses: readonly KubernetesObject[],
  target: IngressTarget,
  wanted: string | undefined,
): ChosenIngress | null {
  const { namespace, service: name } = target;
  const inNamespace = ingresses.filter(({ metadata }) => metadata.namespace === namespace);
  for (const stored of inNamespace) {
    const host = hostFor(stored, target, wanted);
    if (host !== undefined) return { name: stored.metadata.name, host, stored };
  }
  if (inNamespace.some(({ metadata }) => metadata.name === name)) return null;
  const holderOf = (host: string): KubernetesObject | undefined =>
    ingresses.find((ingress) => rulesOf(ingress).some((rule) => rule.host === host));
  if (wanted === undefined) {
    const host = `${name}.localhost`;
    return { name, host: holderOf(host) ? `${name}.${namespace}.localhost` : host, stored: null };
  }
  const holder = holderOf(wanted);
  if (!holder) return { name, host: wanted, stored: null };
  const { namespace: place = '', name: other } = holder.metadata;
  throw invalidField('host', `must be another: Ingress ${place}/${other} already has ${wanted}`);
}

export function ingressManifest(
  { namespace, service, port, className }: IngressTarget,
  { name, host }: ChosenIngress,
): KubernetesObject {
  const backend = { service: { name: service, port: { number: port.number } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace },
    spec: {
      ingressClassName: className,
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  };
}

/** The host at whose root an Ingress serves a Service. */
function hostFor(
  ingress: KubernetesObject,
  { service, port, className }: IngressTarget,
  wanted: string | undefined,
): string | undefined {
  if (recordOf(ingress['spec'])['ingressClassName'] !== className) return undefined;
  const rule = rulesOf(ingress).find(
    ({ host, http }) =>
      host !== undefined &&
      (wanted === undefined || host === wanted) &&
      http?.paths?.some(
        ({ path = '/', backend: to }) =>
          path === '/' && to?.service?.name === service && isPort(to.service.port ?? {}, port),
      ),
  );
  return rule?.host;
}

function isPort(own: IngressPort, port: ServicePortName): boolean {
  return own.number === undefined ? own.name === port.name : own.number === port.number;
}

function rulesOf({ spec }: KubernetesObject): IngressRule[] {
  return rules(recordOf(spec)['rules']) ?? [];
}
