import { invalidField } from '../../core/errors/index.js';
import type { ContainerPort, KubernetesObject } from '../../drivers/kubernetes/index.js';
import { declaredPorts, protocolOf, type ForwardPlural, type ForwardProtocol } from '../forwards/index.js';

/** A port of a container that a Service is to lead to. */
export interface ExposedPort {
  number: number;
  /** Null if it is not declared with a name. */
  name: string | null;
  transport: (typeof TRANSPORTS)[number];
  /** `tcp` for other transports too. */
  protocol: ForwardProtocol;
}

const TRANSPORTS = ['TCP', 'UDP', 'SCTP'] as const;
const IS_NUMBER = /^\d+$/;

/**
 * The port that a request chose by number or name. By default the only declared port, or the first one that speaks HTTP.
 * @param what the object, for messages
 * @throws DomainError `invalid_input` if it must be given, or if no container declares that name
 */
export function choosePort(
  plural: ForwardPlural,
  object: KubernetesObject,
  { port: wanted, what }: { port: string | undefined; what: string },
): ExposedPort {
  const ports = declaredPorts(plural, object).map(asExposed);
  const available = [
    ...new Set(ports.map(({ name, number }) => (name === null ? number : `${number} (${name})`))),
  ];
  if (wanted === undefined) {
    const [first, second] = ports;
    const chosen = second === undefined ? first : ports.find(({ protocol }) => protocol === 'http');
    if (chosen) return chosen;
    throw invalidField(
      'port',
      first
        ? `is required: ${what} declares several, ${available.join(', ')}`
        : `is required: ${what} declares none. Give the port that its program listens on`,
    );
  }
  const fitting = ports.filter(({ number, name }) => String(number) === wanted || name === wanted);
  const found = fitting.find(({ transport }) => transport === 'TCP') ?? fitting[0];
  if (found) return found;
  if (IS_NUMBER.test(wanted)) return asExposed({ containerPort: Number(wanted) });
  throw invalidField('port', `must be a port of ${what}. Available: ${available.join(', ') || 'none'}`);
}

function asExposed(port: ContainerPort): ExposedPort {
  const transport = TRANSPORTS.find((known) => known === port.protocol) ?? 'TCP';
  return {
    number: port.containerPort,
    name: port.name ?? null,
    transport,
    protocol: transport === 'TCP' ? protocolOf(port, port.containerPort) : 'tcp',
  };
}
