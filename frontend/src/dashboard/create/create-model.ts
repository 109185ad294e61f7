import {
  applyEach,
  hidden,
  max,
  min,
  pattern,
  required,
  schema,
  type SchemaPath,
  type SchemaPathTree,
  validate,
} from '@angular/forms/signals';
import type { CreateClusterDto } from '../../shared/api/api-types';

/** The API's own rules; a spec compares them with the OpenAPI document. */
export const CLUSTER_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
export const NODE_IMAGE_TAG = /^v\d{1,3}\.\d{1,3}\.\d{1,3}(@sha256:[0-9a-f]{64})?$/;
export const MAX_WORKERS = 20;
export const MAX_CONTROL_PLANES = 5;

const MAX_PORT = 65_535;
const REQUIRED = $localize`Required.`;

export interface PortModel {
  listen_address: string;
  host_port: number | null;
  container_port: number | null;
  protocol: 'TCP' | 'UDP' | 'SCTP';
}

export interface MountModel {
  host_path: string;
  container_path: string;
  read_only: boolean;
}

export interface AddonModel {
  addon: string;
  /** YAML; null for the catalog's values. */
  values: string | null;
}

/** The fields of the form, named as in the API. */
const EMPTY_MODEL = {
  /** Fields, or a whole kind config. Switching keeps the values of both. */
  mode: 'form' as 'form' | 'config',
  name: '',
  /** Empty for the default engine. */
  runtime: '',
  workers: 1 as number | null,
  node_image_tag: '',
  control_planes: 1 as number | null,
  port_mappings: [] as PortModel[],
  mounts: [] as MountModel[],
  addons: [] as AddonModel[],
  keep_on_failure: false,
  accept_cgroup_v1: false,
  config: '',
};

export type CreateModel = typeof EMPTY_MODEL;

export function emptyModel(): CreateModel {
  return { ...EMPTY_MODEL, port_mappings: [], mounts: [], addons: [] };
}

/** A valid name that resembles an invalid one, such as `my-shop` for `My_Shop!`, or an empty text. */
export function suggestName(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, 40).replace(/-$/, '');
  return name === text.trim() ? '' : name;
}

export function clusterName(path: SchemaPath<string>): void {
  required(path, { message: REQUIRED });
  pattern(path, CLUSTER_NAME, {
    message: $localize`Must consist of lowercase letters, digits and hyphens, at most 40 characters.`,
  });
}

export const createSchema = schema<CreateModel>((path) => {
  clusterName(path.name);
  pattern(path.node_image_tag, NODE_IMAGE_TAG, { message: $localize`Must be a full tag, such as v1.34.4.` });
  required(path.node_image_tag, { message: REQUIRED, when: inForm(path) });
  required(path.config, { message: REQUIRED });
  hidden(path.config, { when: inForm(path) });
  for (const field of [path.workers, path.control_planes, path.port_mappings, path.mounts]) {
    hidden(field as SchemaPath<unknown>, { when: ({ valueOf }) => valueOf(path.mode) === 'config' });
  }
  range(path.workers, 0, MAX_WORKERS);
  range(path.control_planes, 1, MAX_CONTROL_PLANES);
  applyEach(path.port_mappings, (port) => {
    pattern(port.listen_address, /^[\da-f.:]+$/i, {
      message: $localize`Must be an IP address, such as 127.0.0.1.`,
    });
    range(port.host_port, 1, MAX_PORT);
    range(port.container_port, 1, MAX_PORT);
  });
  applyEach(path.mounts, (mount) => {
    for (const field of [mount.host_path, mount.container_path]) {
      required(field, { message: REQUIRED });
      pattern(field, /^\/[^:]*$/, { message: $localize`Must be an absolute path without a colon.` });
    }
  });
});

function inForm(path: SchemaPathTree<CreateModel>) {
  return ({ valueOf }: { valueOf: (field: SchemaPath<CreateModel['mode']>) => string }): boolean =>
    valueOf(path.mode) === 'form';
}

function range(path: SchemaPath<number | null>, least: number, most: number): void {
  const message = $localize`Must be a whole number from ${least}:min: to ${most}:max:.`;
  required(path, { message });
  min(path, least, { message });
  max(path, most, { message });
  validate(path, ({ value }) =>
    value() === null || Number.isInteger(value()) ? undefined : { kind: 'integer', message },
  );
}

/** The request of a model. Its numbers must be valid. */
export function requestOf(model: CreateModel): CreateClusterDto {
  const { mode, name, runtime, addons, keep_on_failure, accept_cgroup_v1, config, workers, control_planes } =
    model;
  const tag = model.node_image_tag.trim();
  const request: CreateClusterDto = {
    name: name.trim(),
    ...(runtime && { runtime }),
    ...(keep_on_failure && { keep_on_failure }),
    ...(accept_cgroup_v1 && { accept_cgroup_v1 }),
    ...(tag && { node_image_tag: tag }),
    ...(addons.length > 0 && {
      addons: addons.map(({ addon, values }) => ({ addon, ...(values !== null && { values }) })),
    }),
  };
  if (mode === 'config') return { ...request, config };
  return {
    ...request,
    workers: Number(workers),
    ...(control_planes !== 1 && { control_planes: Number(control_planes) }),
    ...(model.port_mappings.length > 0 && {
      port_mappings: model.port_mappings.map((port) => ({
        ...port,
        host_port: Number(port.host_port),
        container_port: Number(port.container_port),
      })),
    }),
    ...(model.mounts.length > 0 && { mounts: model.mounts }),
  };
}
