import { isDeepStrictEqual } from 'node:util';
import { DomainError, invalidField } from '../../core/errors/index.js';
import { recordOf } from '../../core/values/index.js';
import {
  labelSelectorOf,
  specOf,
  templateOf,
  type KubernetesObject,
} from '../../drivers/kubernetes/index.js';
import type { ForwardPlural, ForwardProtocol } from '../forwards/index.js';
import type { ExposedPort } from './exposed-ports.js';

export type Labels = Readonly<Record<string, string>>;

/** A port of a Service. */
export interface ServicePortName {
  number: number;
  /** Null if it has none. */
  name: string | null;
}

/** Which Pods and port a Service leads to. */
export interface ServiceTarget {
  selector: Labels;
  port: ExposedPort;
  /** By default the number of the container port. */
  servicePort: number | undefined;
}

/** Labels that controllers give to the Pods of one revision: a Service with them would end with the next rollout. */
const OF_ONE_REVISION = ['pod-template-hash', 'controller-revision-hash', 'pod-template-generation'];
const MAX_NAME = 63;

/**
 * The labels by which a Service selects the Pods of an object.
 * @param what the object, for messages
 * @returns also a warning, if that differs from what the object itself selects
 * @throws DomainError `resource_refused` if its Pods have no labels
 */
export function selectorOf(
  plural: ForwardPlural,
  object: KubernetesObject,
  what: string,
): { selector: Labels; warnings: string[] } {
  const spec = specOf(object);
  const { matchLabels, matchExpressions = [] } = labelSelectorOf(spec.selector);
  const isPod = plural === 'pods';
  const template = templateOf(spec.template).metadata?.labels;
  const labels = isPod ? object.metadata.labels : matchExpressions.length > 0 ? template : matchLabels;
  const kept = Object.entries(labels ?? {}).filter(([label]) => !OF_ONE_REVISION.includes(label));
  if (kept.length === 0) {
    throw new DomainError(
      'resource_refused',
      `Could not expose ${what}. Its Pods have no labels, by which a Service could select them. Add a label.`,
    );
  }
  return {
    selector: Object.fromEntries(kept),
    warnings: [
      ...(isPod && object.metadata.ownerReferences?.some(({ controller }) => controller)
        ? ['The Service selects every Pod with the labels of this Pod.']
        : []),
      ...(!isPod && matchExpressions.length > 0
        ? [
            'Its selector has matchExpressions, which a Service does not support. The Service selects by the labels of the Pod template.',
          ]
        : []),
    ],
  };
}

/** The name of an object as that of a Service, which must be shorter, start with a letter, and have no dots. */
export function serviceNameOf(object: string): string {
  const name = object.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return (/^[a-z]/.test(name) ? name : `svc-${name}`).slice(0, MAX_NAME).replace(/(?<!-)-+$/, '');
}

export interface ChosenService {
  name: string;
  port: ServicePortName;
  /** Null if it is to be created. */
  stored: KubernetesObject | null;
}

/**
 * The Service that already leads to a target, or the name of a new one.
 * @param services those of the namespace
 * @param wanted its name; by default one that leads there, or one named as the object
 * @throws DomainError `invalid_input` if another Service has that name
 */
export function chooseService(
  services: readonly KubernetesObject[],
  target: ServiceTarget,
  { wanted, object }: { wanted: string | undefined; object: string },
): ChosenService {
  const name = wanted ?? serviceNameOf(object);
  const sameName = services.find(({ metadata }) => metadata.name === name);
  const others = wanted === undefined ? services : [];
  for (const stored of [...(sameName ? [sameName] : []), ...others]) {
    const port = isFor(stored, target) ? portFor(stored, target) : undefined;
    if (port !== undefined) return { name: stored.metadata.name, port, stored };
  }
  if (!sameName) {
    const { port, servicePort } = target;
    return { name, port: { number: servicePort ?? port.number, name: port.name }, stored: null };
  }
  const problem = isFor(sameName, target) ? `has no port for ${target.port.number}` : 'selects other Pods';
  throw invalidField('name', `must be another: Service ${name} already exists and ${problem}`);
}

/** @param protocol what the program speaks, if the request says so: others learn it from the Service */
export function serviceManifest(
  { namespace, name }: { namespace: string; name: string },
  { selector, port, servicePort }: ServiceTarget,
  protocol: ForwardProtocol | undefined,
): KubernetesObject {
  const { number, name: portName, transport } = port;
  const ports = [
    {
      ...(portName !== null && { name: portName }),
      port: servicePort ?? number,
      targetPort: portName ?? number,
      protocol: transport,
      ...(protocol !== undefined && protocol !== 'tcp' && { appProtocol: protocol }),
    },
  ];
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { selector, ports } };
}

function isFor(service: KubernetesObject, { selector }: ServiceTarget): boolean {
  const { type, selector: own } = specOf(service);
  return type !== 'ExternalName' && isDeepStrictEqual({ ...recordOf(own) }, { ...selector });
}

function portFor(
  service: KubernetesObject,
  { port, servicePort }: ServiceTarget,
): ServicePortName | undefined {
  const found = specOf(service).ports?.find(
    (one) =>
      (one.protocol ?? 'TCP') === port.transport &&
      [port.number, port.name].includes(one.targetPort ?? one.port) &&
      (servicePort === undefined || one.port === servicePort),
  );
  return found && { number: found.port, name: found.name ?? null };
}
