import { labels, list, number, record, word } from '../../../core/parsing/index.js';
import {
  hasCondition,
  specOf,
  templateOf,
  type KubernetesObject,
  type ServicePort,
} from '../../../drivers/kubernetes/index.js';

/** The objects among which edges are searched: the workload, and what is in its namespace. */
export interface MapObjects {
  workload: KubernetesObject;
  ingresses: readonly KubernetesObject[];
  services: readonly KubernetesObject[];
  /** Of a Deployment, those with Pods. */
  replicaSets: readonly KubernetesObject[];
  /** Of the workload or its ReplicaSets. */
  pods: readonly KubernetesObject[];
}

/** A way from one object to the next. */
export interface Edge {
  from: KubernetesObject;
  /** A Service that does not exist has only its name. */
  to: KubernetesObject;
  /** Path and ports, such as `80 → http`; empty for ownership. */
  ports: string;
  /** Why nothing gets through, as a sentence; null if nothing is known to be wrong. */
  problem: string | null;
}

type Rule = (objects: MapObjects) => Edge[];

const ingressBackend = record({
  service: record({ port: record({ number, name: word }) }, { name: word }),
});
const ingressSpec = record({
  defaultBackend: ingressBackend,
  rules: list(
    record({ host: word, http: record({ paths: list(record({ path: word, backend: ingressBackend })) }) }),
  ),
});

/** From an Ingress to the Services that lead to the workload, or would if they existed. */
const ingressToService: Rule = ({ workload, ingresses, services }) => {
  const own = new Set(
    services.filter((each) => leadsTo(each, workload)).map(({ metadata }) => metadata.name),
  );
  const missing = new Map<string, KubernetesObject>();
  return ingresses.flatMap((from) => {
    const { defaultBackend, rules = [] } = ingressSpec(from['spec']) ?? {};
    const paths = rules.flatMap(({ host = '*', http }) =>
      (http?.paths ?? []).map(({ path = '/', backend }) => ({ where: `${host}${path}`, backend })),
    );
    const backends = [...paths, ...(defaultBackend ? [{ where: '*', backend: defaultBackend }] : [])];
    return backends.flatMap(({ where, backend }): Edge[] => {
      const { name = '', port } = backend?.service ?? {};
      if (!own.has(name) && name !== workload.metadata.name) return [];
      const service = services.find(({ metadata }) => metadata.name === name);
      const known = service ? (specOf(service).ports ?? []) : [];
      const has = known.some((each) => each.port === port?.number || (each.name ?? '') === port?.name);
      const ports = `${where} → ${port?.name ?? port?.number ?? ''}`;
      if (!service) {
        const to = missing.get(name) ?? missingService(from, name);
        missing.set(name, to);
        return [{ from, to, ports, problem: `Service ${name} does not exist.` }];
      }
      const problem = has ? null : `Service ${name} has no port ${port?.name ?? port?.number ?? ''}.`;
      return [{ from, to: service, ports, problem }];
    });
  });
};

/** From a Service to the workload whose Pods it selects, or which has its name but other labels. */
const serviceToWorkload: Rule = ({ workload, services, pods }) =>
  services
    .filter((service) => leadsTo(service, workload))
    .map((from) => ({
      from,
      to: workload,
      ports: (specOf(from).ports ?? []).map(portText).join(', '),
      problem: serviceProblem(from, workload, pods),
    }));

const ownership: Rule = ({ workload, replicaSets, pods }) =>
  [...replicaSets, ...pods].flatMap((to): Edge[] => {
    const owner = [workload, ...replicaSets].find(({ metadata: { uid } }) =>
      to.metadata.ownerReferences?.some((each) => each.uid === uid),
    );
    return owner ? [{ from: owner, to, ports: '', problem: null }] : [];
  });

const RULES: readonly Rule[] = [ingressToService, serviceToWorkload, ownership];

/** The edges among objects, by all rules. A new kind of edge is a new rule. */
export function findEdges(objects: MapObjects): Edge[] {
  return RULES.flatMap((rule) => rule(objects));
}

/** Whether a Service selects the Pods of a workload, or is meant to: it has its name. */
function leadsTo(service: KubernetesObject, workload: KubernetesObject): boolean {
  return selects(service, workload) || service.metadata.name === workload.metadata.name;
}

function selects(service: KubernetesObject, workload: KubernetesObject): boolean {
  const own = templateOf(specOf(workload).template).metadata?.labels ?? {};
  const selector = Object.entries(labels(specOf(service).selector) ?? {});
  return selector.length > 0 && selector.every(([key, value]) => own[key] === value);
}

function serviceProblem(
  service: KubernetesObject,
  workload: KubernetesObject,
  pods: readonly KubernetesObject[],
): string | null {
  const { ports = [] } = specOf(service);
  if (!selects(service, workload)) {
    return `Its selector does not match the Pods of ${workload.metadata.name}.`;
  }
  const declared = (specOf({ spec: templateOf(specOf(workload).template).spec }).containers ?? []).flatMap(
    (container) => (container.ports ?? []).map(({ name }) => name),
  );
  const unknown = ports.find(
    ({ targetPort }) => typeof targetPort === 'string' && !declared.includes(targetPort),
  );
  if (unknown) return `No container has a port with the name ${unknown.targetPort ?? ''}.`;
  return pods.some((pod) => hasCondition(pod, 'Ready')) ? null : 'No Pod is ready.';
}

function portText({ port, targetPort = port }: ServicePort): string {
  return String(targetPort) === String(port) ? String(port) : `${port} → ${targetPort}`;
}

function missingService({ metadata: { namespace } }: KubernetesObject, name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } };
}
