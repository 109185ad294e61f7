import { describe, expect, it } from '@jest/globals';
import { FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import type { NodeExecution } from '../../../drivers/runtime/index.js';
import { hasImage, imagesOfNode, isOfKubernetes } from './node-images.js';

const ID = `sha256:${'a'.repeat(64)}`;
const DIGEST = `sha256:${'b'.repeat(64)}`;

/** A runtime whose nodes run these programs. */
class RuntimeWithPrograms extends FakeRuntime {
  constructor(private readonly programs: Readonly<Record<string, Partial<NodeExecution>>>) {
    super();
  }

  override execInNode(...[, command]: [id?: string, command?: readonly string[]]): Promise<NodeExecution> {
    const result = this.programs[command?.[0] ?? ''] ?? { exitCode: 127 };
    return Promise.resolve({ exitCode: 0, stdout: '', stderr: '', ...result });
  }
}

const list = (programs: Readonly<Record<string, Partial<NodeExecution>>>): ReturnType<typeof imagesOfNode> =>
  imagesOfNode(new RuntimeWithPrograms(programs), runningNode('c-worker'));

describe('imagesOfNode', () => {
  it('reads the output of crictl, with digests for untagged images', async () => {
    const stdout = JSON.stringify({
      images: [
        { id: ID, repoTags: ['docker.io/shop/web:1'], repoDigests: ['docker.io/shop/web@x'], size: '100' },
        { id: DIGEST, repoTags: [], repoDigests: ['docker.io/shop/api@y'] },
        { repoTags: ['no-id:1'] },
      ],
    });
    expect(await list({ crictl: { stdout } })).toEqual([
      { id: ID, references: ['docker.io/shop/web:1'], sizeBytes: 100 },
      { id: DIGEST, references: ['docker.io/shop/api@y'], sizeBytes: 0 },
    ]);
  });

  it.each([126, 127])('falls back to ctr if crictl exits with %i', async (exitCode) => {
    const row = (name: string): string => `${name} application/x ${DIGEST} 1.5 MiB linux/amd64 -`;
    const stdout = ['REF TYPE DIGEST SIZE PLATFORMS LABELS', row('docker.io/shop/web:1'), row(ID), ''].join(
      '\n',
    );
    expect(await list({ crictl: { exitCode }, ctr: { stdout } })).toEqual([
      { id: ID, references: ['docker.io/shop/web:1'], sizeBytes: 1_572_864 },
    ]);
  });

  it.each([
    [{ crictl: { exitCode: 1, stderr: 'first\nno connection.\n' } }, 'no connection.'],
    [{ crictl: { stdout: 'no JSON' } }, 'JSON'],
    [{ ctr: { exitCode: 1, stderr: 'no socket' } }, 'no socket.'],
  ])('reports node_unavailable with the last line of output for %j', async (programs, reason) => {
    await expect(list(programs)).rejects.toMatchObject({
      code: 'node_unavailable',
      message: expect.stringMatching(/^Could not list the images of c-worker: /),
    });
    await expect(list(programs)).rejects.toThrow(reason);
  });
});

it('hasImage compares the full reference, and the id if it is known', () => {
  const images = [{ id: ID, references: ['docker.io/library/web:latest'], sizeBytes: 1 }];
  expect(hasImage(images, 'web', null)).toBe(true);
  expect(hasImage(images, 'web:latest', ID)).toBe(true);
  expect(hasImage(images, 'web', DIGEST)).toBe(false);
  expect(hasImage(images, 'web:2', null)).toBe(false);
});

it.each([
  ['registry.k8s.io/kube-proxy:v1.34.4', true],
  ['registry.k8s.io/pause:3.10', true],
  ['docker.io/kindest/kindnetd:v2', true],
  ['docker.io/rancher/local-path-provisioner:v1', true],
  ['registry.k8s.io/metrics-server:1', false],
  ['docker.io/shop/kube-proxy:1', false],
])('isOfKubernetes(%s) is %s', (reference, expected) => {
  expect(isOfKubernetes({ id: ID, references: [reference], sizeBytes: 1 })).toBe(expected);
});
