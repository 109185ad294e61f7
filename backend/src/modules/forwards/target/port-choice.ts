import { DomainError, invalidField } from '../../../core/errors/index.js';
import {
  specOf,
  templateOf,
  type ContainerPort,
  type KubernetesObject,
  type ServicePort,
} from '../../../drivers/kubernetes/index.js';
import { nameOfTarget, type ForwardProtocol, type ForwardTo } from './forward-kinds.js';

export type DeclaredPort = Pick<ServicePort, 'name' | 'protocol' | 'appProtocol'>;

const IS_NUMBER = /^\d+$/;
const HTTPS_NUMBERS = [443, 6443, 8443, 9443];
const HTTP_NUMBERS = [80, 3000, 5000, 5601, 8000, 8080, 8081, 8888, 9090, 9093, 9898, 20_001];

/** The port of an object that a request chose by number or name. */
export interface ChosenPort {
  /** A port of the Pod: its number, or the name that one of its containers declares. */
  podPort: number | string;
  protocol: ForwardProtocol;
}

/**
 * Resolves a port of a Service, or of the Pods of another object, which may also use ports that they do not declare.
 * @throws DomainError `invalid_input` if the object has no such port, or only for UDP or SCTP
 */
export function choosePort(to: ForwardTo, object: KubernetesObject): ChosenPort {
  const isService = to.plural === 'services';
  const isNumber = IS_NUMBER.test(to.port);
  const { type, ports: served = [] } = specOf(object);
  if (isService && type === 'ExternalName') {
    throw invalidField('object', `is an ExternalName Service, which has no Pods: ${nameOfTarget(to)}`);
  }
  const ports: readonly ServicePort[] = isService
    ? served
    : declaredPorts(to.plural, object).map((one) => ({
        ...one,
        port: one.containerPort,
        targetPort: isNumber ? one.containerPort : one.name,
      }));
  const fitting = ports.filter(({ port, name }) => String(port) === to.port || name === to.port);
  const found = fitting.find(isTcp);
  if (!found && (isService || fitting.length > 0 || !isNumber)) throw noSuchPort(to, fitting, ports);
  const number = found?.port ?? Number(to.port);
  return { podPort: found?.targetPort ?? number, protocol: protocolOf(found ?? {}, number) };
}

/** The number of a port in a Pod. @throws DomainError `resource_refused` if no container declares the name */
export function portInPod(port: number | string, pod: KubernetesObject): number {
  if (typeof port === 'number') return port;
  const found = containerPorts(pod).find((one) => one.name === port && isTcp(one));
  if (found) return found.containerPort;
  throw new DomainError('resource_refused', `Pod ${pod.metadata.name} has no TCP port named ${port}.`);
}

/** By the declared protocol or name, otherwise by the number: a probe could confuse the program. */
export function protocolOf({ name = '', appProtocol = '' }: DeclaredPort, number?: number): ForwardProtocol {
  const said = (appProtocol || name).toLowerCase();
  if (/^https|^wss$|^kubernetes\.io\/wss$/.test(said)) return 'https';
  if (/^http|^web|^ui$|^kubernetes\.io\/(ws|h2c)$|^ws$/.test(said)) return 'http';
  if (appProtocol !== '' || number === undefined) return 'tcp';
  if (HTTPS_NUMBERS.includes(number)) return 'https';
  return HTTP_NUMBERS.includes(number) ? 'http' : 'tcp';
}

/** The ports that the containers of a Pod or of a Pod template declare. */
export function declaredPorts(plural: ForwardTo['plural'], object: KubernetesObject): ContainerPort[] {
  return containerPorts(plural === 'pods' ? object : templateOf(specOf(object).template));
}

function containerPorts(pod: Readonly<Record<string, unknown>>): ContainerPort[] {
  const { containers = [], initContainers = [] } = specOf(pod);
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...containers, ...sidecars].flatMap(({ ports = [] }) => ports);
}

function isTcp({ protocol = 'TCP' }: DeclaredPort): boolean {
  return protocol === 'TCP';
}

function noSuchPort(
  to: ForwardTo,
  fitting: readonly ServicePort[],
  ports: readonly ServicePort[],
): DomainError {
  const [other] = fitting;
  if (other?.protocol !== undefined) {
    return invalidField(
      'port',
      `must be a TCP port: Kubernetes forwards no ${other.protocol}, which port ${to.port} of ${nameOfTarget(to)} uses`,
    );
  }
  const tcp = new Set(ports.filter(isTcp).map(({ port }) => port));
  const available = [...tcp].join(', ') || 'none';
  return invalidField('port', `must be a port of ${nameOfTarget(to)}. Available: ${available}`);
}
