/// <reference types="node" />
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { type FieldTree, form } from '@angular/forms/signals';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ApiProblem } from '../../shared/api/api-problem';
import { errorOf, labelOf, problemsOf } from './create-errors';
import {
  CLUSTER_NAME,
  type CreateModel,
  createSchema,
  emptyModel,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  type MountModel,
  NODE_IMAGE_TAG,
  type PortModel,
  requestOf,
  suggestName,
} from './create-model';
import { hasIngress, withIngress } from './ingress-preset';

function aModel(change: Partial<CreateModel> = {}): CreateModel {
  return { ...emptyModel(), name: 'staging', node_image_tag: 'v1.34.4', ...change };
}

function formOf(model: CreateModel): FieldTree<CreateModel> {
  return TestBed.runInInjectionContext(() => form(signal(model), createSchema, { name: 'create' }));
}

const PORT: PortModel = {
  listen_address: '127.0.0.1',
  host_port: 8080,
  container_port: 80,
  protocol: 'TCP',
};
const MOUNT: MountModel = { host_path: '/a', container_path: '/b', read_only: true };

describe('createSchema', () => {
  it('has the rules of the OpenAPI document', () => {
    const { components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
      components: {
        schemas: {
          CreateClusterDto: {
            properties: Record<string, { pattern?: string; maximum?: number; minimum?: number }>;
          };
        };
      };
    };
    const { name, workers, node_image_tag, control_planes } = components.schemas.CreateClusterDto.properties;
    expect(name?.pattern).toBe(CLUSTER_NAME.source);
    expect(node_image_tag?.pattern).toBe(NODE_IMAGE_TAG.source);
    expect(workers).toMatchObject({ minimum: 0, maximum: MAX_WORKERS });
    expect(control_planes).toMatchObject({ minimum: 1, maximum: MAX_CONTROL_PLANES });
  });

  it.each<[Partial<CreateModel>, string[]]>([
    [{}, []],
    [{ name: '' }, ['Name: Required.']],
    [
      { name: 'Staging_EU' },
      ['Name: Must consist of lowercase letters, digits and hyphens, at most 40 characters.'],
    ],
    [{ workers: 20 }, []],
    [{ workers: 21 }, ['Workers: Must be a whole number from 0 to 20.']],
    [{ workers: null }, ['Workers: Must be a whole number from 0 to 20.']],
    [{ workers: 1.5 }, ['Workers: Must be a whole number from 0 to 20.']],
    [{ control_planes: 6 }, ['Control planes: Must be a whole number from 1 to 5.']],
    [{ node_image_tag: '1.34' }, ['Node image tag: Must be a full tag, such as v1.34.4.']],
    [{ node_image_tag: `v1.34.4@sha256:${'a'.repeat(64)}` }, []],
    [{ port_mappings: [PORT] }, []],
    [
      { port_mappings: [PORT, { ...PORT, host_port: 0 }] },
      ['Port mapping 2, host port: Must be a whole number from 1 to 65535.'],
    ],
    [
      { port_mappings: [{ ...PORT, listen_address: 'localhost' }] },
      ['Port mapping 1, address: Must be an IP address, such as 127.0.0.1.'],
    ],
    [
      { mounts: [MOUNT, { ...MOUNT, host_path: 'code', container_path: '' }] },
      [
        'Host folder 2, host path: Must be an absolute path without a colon.',
        'Host folder 2, node path: Required.',
      ],
    ],
    [{ mode: 'config', workers: null, node_image_tag: '', config: 'kind: Cluster' }, []],
    [{ mode: 'config', config: '' }, ['Config: Required.']],
  ])('validates %j', (change, expected) => {
    const model = aModel(change);
    const errors = formOf(model)().errorSummary();
    expect(errors.map(({ fieldTree, message }) => `${labelOf(fieldTree, model)}: ${message ?? ''}`)).toEqual(
      expected,
    );
  });
});

describe('requestOf', () => {
  it('omits defaults', () => {
    expect(requestOf(aModel({ workers: 2 }))).toEqual({
      name: 'staging',
      workers: 2,
      node_image_tag: 'v1.34.4',
    });
  });

  it('includes all fields', () => {
    const addons = [
      { addon: 'traefik', values: null },
      { addon: 'cert-manager', values: 'replicas: 2' },
    ];
    const change = {
      control_planes: 3,
      runtime: 'podman',
      keep_on_failure: true,
      accept_cgroup_v1: true,
      addons,
    };
    expect(requestOf(aModel({ ...change, port_mappings: [PORT], mounts: [MOUNT] }))).toEqual({
      ...change,
      name: 'staging',
      workers: 1,
      node_image_tag: 'v1.34.4',
      addons: [{ addon: 'traefik' }, { addon: 'cert-manager', values: 'replicas: 2' }],
      port_mappings: [PORT],
      mounts: [MOUNT],
    });
  });

  it('omits the fields that a config replaces', () => {
    const model = aModel({
      mode: 'config',
      config: 'kind: Cluster',
      port_mappings: [PORT],
      node_image_tag: '',
    });
    expect(requestOf(model)).toEqual({ name: 'staging', config: 'kind: Cluster' });
  });
});

describe('errors of the API', () => {
  function errorsOf(problem: ApiProblem, model: CreateModel): string[] {
    const tree = formOf(model);
    return problemsOf(problem)
      .map((entry) => errorOf(tree, entry, model))
      .map(({ fieldTree, message }) => `${labelOf(fieldTree, model)}: ${message}`);
  }

  it('belong to the field that they name', () => {
    const details = [
      { field: 'port_mappings[0].host_port', problem: 'is already in use', hint: 'choose another' },
    ];
    expect(
      errorsOf(new ApiProblem('invalid_input', 'Invalid.', 400, details), aModel({ port_mappings: [PORT] })),
    ).toEqual(['Port mapping 1, host port: Is already in use. Choose another.']);
  });

  it.each([
    ['cluster_exists', 'Name'],
    ['cluster_busy', 'Name'],
    ['runtime_unavailable', 'Engine'],
    ['provisioner_unavailable', 'Slipway'],
  ] as const)('%s belong to %s', (code, label) => {
    expect(errorsOf(new ApiProblem(code, 'A sentence.', 409), aModel())).toEqual([`${label}: A sentence.`]);
  });

  it('name the line of a config', () => {
    const details = [{ path: 'nodes[0].role', problem: 'is invalid', line: 4, column: 5 }];
    const problem = new ApiProblem('config_refused', 'Invalid.', 422, details);
    const [label] = errorsOf(problem, aModel({ mode: 'config' }));
    expect(label).toMatch(/^Config: Line 4: nodes\[0\]\.role is invalid\.$/i);
  });

  it('name the addon and the line of its values', () => {
    const addons = [{ addon: 'cert-manager', values: 'replicas: two' }];
    const details = [{ field: 'addons[0].values', problem: 'replicas must be integer', line: 1, column: 11 }];
    const problem = new ApiProblem('values_refused', 'Invalid.', 422, details);
    for (const mode of ['form', 'config'] as const) {
      expect(errorsOf(problem, aModel({ addons, mode }))).toEqual([
        'cert-manager: Line 1: Replicas must be integer.',
      ]);
    }
  });
});

describe('withIngress', () => {
  it('maps ports 80 and 443 and adds Traefik once, and keeps own choices', () => {
    const own = { listen_address: '0.0.0.0', host_port: 80, container_port: 80, protocol: 'TCP' as const };
    const first = withIngress({ ...emptyModel(), port_mappings: [own] });
    expect(first.port_mappings.map(({ host_port, container_port }) => [host_port, container_port])).toEqual([
      [80, 80],
      [8443, 443],
    ]);
    expect(first.addons).toMatchObject([{ addon: 'traefik' }]);
    expect(withIngress({ ...emptyModel(), ...first })).toEqual(first);
    expect(hasIngress({ ...emptyModel(), ...first })).toBe(true);
    expect(hasIngress({ ...emptyModel(), addons: first.addons })).toBe(false);
  });
});

describe('suggestName', () => {
  it.each([
    ['My_Shop!', 'my-shop'],
    ['--a b--', 'a-b'],
    ['a'.repeat(39) + ' b', 'a'.repeat(39)],
    ['shop', ''],
    ['!', ''],
    ['', ''],
  ])('turns %j into %j', (text, name) => {
    expect(suggestName(text)).toBe(name);
  });
});
