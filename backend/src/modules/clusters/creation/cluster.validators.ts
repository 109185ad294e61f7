import { applyDecorators } from '@nestjs/common';
import { Matches, ValidateBy, type ValidationArguments } from 'class-validator';
import { Text } from '../../../core/api/index.js';
import { CLUSTER_NAME } from '../../../core/security/index.js';
import { isRecord } from '../../../core/values/index.js';
import { mountPoint, portsClash, reservedPathProblem } from '../../kind-config/index.js';

/** The name of a new cluster: stricter than the check of kind. */
export function NewClusterName(docs: { example: string }): PropertyDecorator {
  return applyDecorators(
    Text({
      description: 'Up to 40 lowercase letters, digits and hyphens',
      pattern: CLUSTER_NAME.source,
      ...docs,
    }),
    Matches(CLUSTER_NAME, {
      message:
        'must be 1 to 40 lowercase letters, digits or hyphens, and start and end with a letter or digit, such as staging-eu',
    }),
  );
}

/** Rejects the field if another field is set that contains the same information. */
export function NotTogetherWith(other: string): PropertyDecorator {
  return reject('notTogetherWith', (value, request) =>
    value !== undefined && request[other] !== undefined
      ? `cannot be combined with ${other}, which contains it`
      : undefined,
  );
}

/** Rejects duplicates of address, port and protocol. A wildcard address conflicts with all addresses. */
export function DistinctHostPorts(): PropertyDecorator {
  return reject('distinctHostPorts', (value) => {
    const ports = objectsOf(value).map(
      ({ listen_address: address = '127.0.0.1', host_port, protocol = 'TCP' }) => ({
        address: address as string,
        port: host_port as number,
        protocol: protocol as string,
      }),
    );
    const duplicate = ports.find((port, index) =>
      ports.slice(0, index).some((other) => portsClash(port, other)),
    );
    return duplicate && `contains the host port ${String(duplicate.port)} twice`;
  });
}

/** Rejects duplicate container paths, after normalization. */
export function DistinctContainerPaths(): PropertyDecorator {
  return reject('distinctContainerPaths', (value) => {
    const paths = objectsOf(value).flatMap(({ container_path: path }) =>
      typeof path === 'string' ? mountPoint(path) : [],
    );
    const duplicate = paths.find((path, index) => paths.indexOf(path) < index);
    return duplicate && `contains the container path ${duplicate} twice`;
  });
}

/** Rejects paths that kind or the node itself needs. */
export function NotReservedPath(): PropertyDecorator {
  return reject('notReservedPath', (value) =>
    typeof value === 'string' ? reservedPathProblem(value) : undefined,
  );
}

function reject(
  name: string,
  problemOf: (value: unknown, request: Record<string, unknown>) => string | undefined,
): PropertyDecorator {
  const find = (args?: ValidationArguments): string | undefined =>
    problemOf(args?.value, (args?.object ?? {}) as Record<string, unknown>);
  return ValidateBy({
    name,
    validator: {
      validate: (_value, args) => find(args) === undefined,
      defaultMessage: (args) => find(args) ?? '',
    },
  });
}

function objectsOf(list: unknown): Record<string, unknown>[] {
  const entries: unknown[] = Array.isArray(list) ? list : [];
  return entries.filter(isRecord);
}
