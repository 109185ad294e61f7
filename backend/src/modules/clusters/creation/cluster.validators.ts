import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, registerDecorator, type ValidationArguments } from 'class-validator';
import { CLUSTER_NAME } from '../../../core/security/index.js';
import { mountPoint, reservedPathProblem } from '../../kind-config/index.js';

interface PortMapping {
  host_port?: unknown;
  listen_address?: unknown;
  protocol?: unknown;
}

/** The name of a new cluster: stricter than the check of kind. */
export function IsNewClusterName(): PropertyDecorator {
  return applyDecorators(
    IsString({ message: 'must be a string' }),
    Matches(CLUSTER_NAME, {
      message:
        'must be 1 to 40 lowercase letters, digits or hyphens, and start and end with a letter or digit, such as staging-eu',
    }),
  );
}

/** Rejects the field if another field is set that contains the same information. */
export function NotTogetherWith(other: string): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'notTogetherWith',
      target: target.constructor,
      propertyName: String(property),
      options: { message: `cannot be combined with ${other}, which contains it` },
      validator: {
        validate: (value: unknown, { object }: ValidationArguments) =>
          value === undefined || (object as Record<string, unknown>)[other] === undefined,
      },
    });
  };
}

/** Rejects duplicates of address, port and protocol. A wildcard address conflicts with all addresses. */
export function DistinctHostPorts(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'distinctHostPorts',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: ({ value }: ValidationArguments) =>
          `contains the host port ${String(firstDuplicate(value))} twice`,
      },
      validator: { validate: (value: unknown) => firstDuplicate(value) === undefined },
    });
  };
}

/** Rejects duplicate container paths, after normalization. */
export function DistinctContainerPaths(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'distinctContainerPaths',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: ({ value }: ValidationArguments) =>
          `contains the container path ${repeatedPath(value) ?? ''} twice`,
      },
      validator: { validate: (value: unknown) => repeatedPath(value) === undefined },
    });
  };
}

/** Rejects paths that kind or the node itself needs. */
export function NotReservedPath(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'freePlace',
      target: target.constructor,
      propertyName: String(property),
      options: { message: ({ value }: ValidationArguments) => problemOfPlace(value) ?? '' },
      validator: { validate: (value: unknown) => problemOfPlace(value) === undefined },
    });
  };
}

function problemOfPlace(value: unknown): string | undefined {
  return typeof value === 'string' ? reservedPathProblem(value) : undefined;
}

function repeatedPath(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const places = (value as unknown[]).map((entry) => {
    const { container_path: path } = (entry ?? {}) as { container_path?: unknown };
    return typeof path === 'string' ? mountPoint(path) : undefined;
  });
  return places.find((place, index) => place !== undefined && places.indexOf(place) < index);
}

function firstDuplicate(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const seen: PortMapping[] = [];
  for (const entry of value as unknown[]) {
    if (typeof entry !== 'object' || entry === null) continue;
    const mapping = entry as PortMapping;
    if (seen.some((other) => clashes(mapping, other))) return mapping.host_port;
    seen.push(mapping);
  }
  return undefined;
}

function clashes(one: PortMapping, other: PortMapping): boolean {
  if (one.host_port !== other.host_port || (one.protocol ?? 'TCP') !== (other.protocol ?? 'TCP')) {
    return false;
  }
  const [first, second] = [one.listen_address ?? '127.0.0.1', other.listen_address ?? '127.0.0.1'];
  return first === second || [first, second].some((address) => address === '0.0.0.0' || address === '::');
}
