/// <reference types="node" />
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ApiProblem } from '../../shared/api/api-problem';
import { type CreateDraft, emptyDraft } from './create-draft';
import {
  CLUSTER_NAME,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  NODE_IMAGE_TAG,
  placed,
  problemsOf,
  problemsOfServer,
  requestOf,
} from './create-rules';

function draft(change: Partial<CreateDraft> = {}): CreateDraft {
  return { ...emptyDraft(), name: 'staging', tag: 'v1.34.4', ...change };
}

function port(change: Partial<CreateDraft['ports'][number]> = {}): CreateDraft['ports'][number] {
  return { listenAddress: '127.0.0.1', hostPort: '8080', containerPort: '80', protocol: 'TCP', ...change };
}

function complaints(change: Partial<CreateDraft>): string[] {
  return problemsOf(draft(change)).map(({ field, problem }) => `${field}: ${problem}`);
}

describe('rules of a creation', () => {
  it('are the server’s own, as its document tells them', () => {
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

  it.each([
    [{}, []],
    [{ name: '' }, ['name: is missing.']],
    [{ name: 'Staging_EU' }, ['name: has a capital letter and an underscore.']],
    [{ name: '-a' }, ['name: begins or ends with a hyphen.']],
    [{ name: 'a'.repeat(41) }, ['name: has 41 characters.']],
    [{ name: 'a b' }, ['name: has a space.']],
    [{ workers: '0' }, []],
    [{ workers: '20' }, []],
    [{ workers: '21' }, ['workers: is more than 20.']],
    [{ workers: '-1' }, ['workers: is less than 0.']],
    [{ workers: '1.5' }, ['workers: is not a whole number.']],
    [{ workers: '' }, ['workers: is missing.']],
    [{ tag: '1.34' }, ['node_image_tag: is not a full tag.']],
    [{ tag: `v1.34.4@sha256:${'a'.repeat(64)}` }, []],
    [{ controlPlanes: '6' }, ['control_planes: is more than 5.']],
    [{ ports: [port(), port()] }, ['port_mappings[1].host_port: is given twice.']],
    [{ ports: [port(), port({ protocol: 'UDP' })] }, []],
    [{ ports: [port(), port({ listenAddress: '127.0.0.2' })] }, []],
    [
      { ports: [port(), port({ listenAddress: '0.0.0.0' })] },
      ['port_mappings[1].host_port: is given twice.'],
    ],
    [{ ports: [port({ hostPort: '0' })] }, ['port_mappings[0].host_port: is less than 1.']],
    [
      { ports: [port({ listenAddress: 'localhost' })] },
      ['port_mappings[0].listen_address: is not an IP address.'],
    ],
    [{ ports: [port({ listenAddress: '::1' })] }, []],
    [
      {
        mounts: ['/code', '/data', '/code/', '//data/./'].map((containerPath) => ({
          hostPath: '/a',
          containerPath,
          readOnly: false,
        })),
      },
      ['mounts[2].container_path: is given twice.', 'mounts[3].container_path: is given twice.'],
    ],
    [
      { mounts: [{ hostPath: 'code', containerPath: '', readOnly: false }] },
      ['mounts[0].host_path: is not an absolute path.', 'mounts[0].container_path: is missing.'],
    ],
    [{ mode: 'config' as const, workers: 'x', tag: '', config: 'kind: Cluster' }, []],
    [{ mode: 'config' as const, config: ' ' }, ['config: is empty.']],
  ])('%j gives %j', (change, expected) => {
    expect(complaints(change)).toEqual(expected);
  });

  it('tells everything at once, in the order of the form', () => {
    expect(problemsOf(draft({ name: '', workers: '99', tag: 'x' })).map(({ label }) => label)).toEqual([
      'Name',
      'Workers',
      'Node image tag',
    ]);
  });
});

describe('the request', () => {
  it('is as short as its form', () => {
    expect(requestOf(draft({ workers: '2' }))).toEqual({
      name: 'staging',
      workers: 2,
      node_image_tag: 'v1.34.4',
    });
  });

  it('has everything that was asked for', () => {
    expect(
      requestOf(
        draft({
          controlPlanes: '3',
          runtime: 'podman',
          keepOnFailure: true,
          ports: [port()],
          mounts: [{ hostPath: '/a', containerPath: '/b', readOnly: true }],
        }),
      ),
    ).toEqual({
      name: 'staging',
      workers: 1,
      node_image_tag: 'v1.34.4',
      control_planes: 3,
      runtime: 'podman',
      keep_on_failure: true,
      port_mappings: [{ host_port: 8080, container_port: 80, listen_address: '127.0.0.1', protocol: 'TCP' }],
      mounts: [{ host_path: '/a', container_path: '/b', read_only: true }],
    });
  });

  it('leaves out what a given config says itself', () => {
    expect(requestOf(draft({ mode: 'config', config: 'kind: Cluster', ports: [port()], tag: '' }))).toEqual({
      name: 'staging',
      config: 'kind: Cluster',
    });
  });
});

describe('what the server refuses', () => {
  it('is told at the field that it means', () => {
    const problem = new ApiProblem('invalid_input', 'No.', 400, [
      { field: 'port_mappings[0].host_port', problem: 'is taken by another program' },
    ]);
    expect(problemsOfServer(problem, draft({ ports: [port()] }))).toEqual([
      expect.objectContaining({
        label: 'Port 1, here',
        value: '8080',
        problem: 'is taken by another program.',
      }),
    ]);
  });

  it.each([
    ['cluster_exists', 'name'],
    ['cluster_busy', 'name'],
    ['runtime_unavailable', 'runtime'],
    ['provisioner_unavailable', ''],
  ] as const)('%s belongs to %p', (code, field) => {
    const [entry] = problemsOfServer(new ApiProblem(code, 'A sentence.', 409), draft());
    expect(entry).toMatchObject({ field, problem: 'A sentence.' });
  });

  it('has the line of a config', () => {
    const problem = new ApiProblem('config_refused', 'No.', 422, [
      { path: 'nodes[0].role', problem: 'is no role', line: 4, column: 5 },
    ]);
    expect(problemsOfServer(problem, draft({ mode: 'config' }))).toEqual([
      expect.objectContaining({
        field: 'config',
        label: 'Line 4',
        line: 4,
        problem: 'nodes[0].role is no role.',
      }),
    ]);
  });

  it('keeps the fields of the form beside a config', () => {
    expect(
      placed({ field: 'name', problem: 'exists already in docker' }, draft({ mode: 'config' })),
    ).toMatchObject({
      field: 'name',
      value: 'staging',
    });
  });

  it('names the addon, and the line of its values', () => {
    const addons = [
      { name: 'traefik', values: null },
      { name: 'cert-manager', values: 'replicas: two' },
    ];
    const problem = new ApiProblem('values_refused', 'No.', 422, [
      { field: 'addons[1].values', problem: 'replicas must be integer', line: 1, column: 11 },
    ]);
    for (const mode of ['form', 'config'] as const) {
      expect(problemsOfServer(problem, draft({ addons, mode }))).toEqual([
        {
          field: 'addons[1].values',
          label: 'cert-manager, line 1',
          value: '',
          problem: 'replicas must be integer.',
          hint: '',
          line: 1,
        },
      ]);
    }
    expect(requestOf(draft({ addons })).addons).toEqual([
      { addon: 'traefik' },
      { addon: 'cert-manager', values: 'replicas: two' },
    ]);
  });
});
