import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { ProblemDto } from '../../../backend/src/modules/problems/problem.dto.js';
import type { AppliedDto } from '../../../backend/src/modules/resource-changes/apply/apply.dto.js';
import type { FixedDto } from '../../../backend/src/modules/resource-changes/fix/fix.dto.js';
import { CliProcess, type CliResult } from '../../support/server/cli-process.js';
import { waitFor } from '../../support/wait-for.js';
import {
  brokenObjects,
  HEALTHY,
  MISSING_CLASS,
  MISSING_NAMESPACE,
  NAMESPACE,
  reportAbout,
  UNLOADED_IMAGE,
  yamlOf,
} from '../support/broken-objects.js';
import { run } from '../support/engines.js';
import { buildImage } from '../support/images.js';
import type { RealCluster } from '../support/real-cluster.js';

/** On a busy machine, images and Pods take minutes. */
const PREPARATION_MS = 300_000;
/** A cause that a usual start has too is a problem after 30 s. */
const PROBLEMS_MS = 90_000;
/** A kubelet pulls an image again after up to 80 s. */
const FIXED_MS = 150_000;

/** Every cause is provoked at once, and then fixed. */
export function testCauses(cluster: RealCluster): void {
  const { engine, name, nodes, folder } = cluster;
  // Podman adds localhost/ to images that it builds.
  const unloaded = engine === 'podman' ? `localhost/${UNLOADED_IMAGE}` : UNLOADED_IMAGE;
  const broken = brokenObjects(nodes[0], unloaded);
  const fixable = broken.flatMap(({ fix, ...of }) => (fix ? [{ ...of, ...fix, cause: of.code }] : []));

  const apply = async (objects: readonly object[]): Promise<void> => {
    const request = { yaml: yamlOf(objects) };
    const path = `/clusters/${name}/resources/apply`;
    const { body } = await cluster.product.call<AppliedDto>('POST', path, request);
    expect(body.documents.filter(({ error }) => error !== null)).toEqual([]);
  };
  const problems = async (): Promise<ProblemDto[]> => {
    const { body } = await cluster.product.call<ProblemDto[]>('GET', '/problems');
    // The other engine's cluster can have the same objects at the same time.
    return body.filter(({ cluster: of, namespace }) => of === name && namespace === NAMESPACE);
  };
  const slipway = async (...args: string[]): Promise<CliResult> =>
    await CliProcess.start({ ...process.env, APP_DATA_DIR: cluster.product.dataDirectory }, ...args).end();
  const fix = async (type: string, of: string, request: object): Promise<FixedDto> => {
    const path = `/clusters/${name}/resources/${type}/${of}/fix?namespace=${NAMESPACE}`;
    const { status, body } = await cluster.product.call<FixedDto>('POST', path, request);
    expect([status, body]).toEqual([200, body]);
    return body;
  };
  /** Dry run, then the change. @returns the diff */
  const preview = async (
    type: string,
    of: string,
    request: object,
  ): Promise<{ added: string[]; removed: string[] }> => {
    const checked = await fix(type, of, { ...request, dry_run: true });
    const [before = [], after = []] = [checked.before, checked.after].map((text) => text?.split('\n'));
    const done = await fix(type, of, request);
    expect(done).toMatchObject({ outcome: checked.outcome, warnings: checked.warnings, dry_run: false });
    if (done.job) expect((await cluster.product.ended(done.job.job_id)).state).toBe('succeeded');
    return {
      added: after.filter((line) => !before.includes(line)),
      removed: before.filter((line) => !after.includes(line)),
    };
  };

  const taint = (text: string): Promise<unknown> =>
    cluster.kubectl('taint', 'nodes', `${name}-control-plane`, text, '--overwrite');

  beforeAll(async () => {
    // Other parts remove it, so that Pods have two nodes.
    await taint('node-role.kubernetes.io/control-plane=:NoSchedule');
    await apply(HEALTHY);
    await buildImage(engine, UNLOADED_IMAGE, folder);
    const uid = ['get', 'configmap', 'reporter', '-n', NAMESPACE, '--output=jsonpath={.metadata.uid}'];
    const report = reportAbout(await cluster.kubectl(...uid));
    await cluster.kubectl(
      ...['wait', '-n', NAMESPACE, '--for=condition=Available', 'deployment', '--all', '--timeout=180s'],
    );
    await apply([...broken.flatMap(({ objects }) => objects), report]);
  }, PREPARATION_MS);

  afterAll(async () => {
    await taint('node-role.kubernetes.io/control-plane-');
    await cluster.kubectl('delete', 'namespace', NAMESPACE, MISSING_NAMESPACE, '--wait=false');
    await cluster.kubectl('delete', `priorityclass/${NAMESPACE}`, `storageclass/${MISSING_CLASS}`);
    await run(engine, ['image', 'rm', '--force', unloaded]).catch(() => undefined);
  });

  it(
    'lists each as a problem of its workload',
    async () => {
      let lacking: string[] = [];
      await waitFor(
        async () => {
          const found = await problems();
          lacking = broken
            .filter(
              (each) => !found.some((problem) => problem.name === each.name && problem.code === each.code),
            )
            .map((each) => `${each.code} of ${each.name}`);
          return lacking.length === 0;
        },
        () => lacking.join(', '),
        PROBLEMS_MS,
      );
      const { body } = await cluster.product.call<ProblemDto[]>('GET', `/clusters/${name}/problems`);
      expect((await cluster.read()).problems).toBe(body.length);
    },
    PROBLEMS_MS + 10_000,
  );

  it('shows them in slipway problems, status and list', async () => {
    const [listed, status, clusters] = await Promise.all([
      slipway('problems', name),
      slipway('status'),
      slipway('list', '--output', 'json'),
    ]);
    const expected = broken.map((each) => expect.stringContaining(`/${each.name} `));
    expect(listed.status).toBe(1);
    for (const { stdout } of [listed, status]) {
      expect(broken.map(() => stdout)).toEqual(expected);
    }
    const own = (JSON.parse(clusters.stdout) as ClusterDto[]).find((each) => each.name === name);
    expect(own?.problems).toBeGreaterThanOrEqual(broken.length);
  });

  it('shows a fix and its diff with slipway fix', async () => {
    const of = ['fix', name, 'deployment/memory', '--namespace', NAMESPACE];
    expect((await slipway(...of)).stdout).toMatch(/raise_memory_limit +main .* memory=48Mi/);
    const { stdout } = await slipway(...of, '--fix', 'raise_memory_limit', '--dry-run');
    expect(stdout).toMatch(/-.*memory: 24Mi\n.*\+.*memory: 48Mi/);
  });

  it.each(fixable)('applies $code to $name', async ({ code, name: of, type, parameters, adds, removes }) => {
    const { added, removed } = await preview(type, of, { fix: code, parameters });
    expect(added.join('\n')).toMatch(adds ?? /^$|./);
    expect(removed.join('\n')).toMatch(removes ?? /^$/);
  });

  it('creates a namespace that a controller reports as missing', async () => {
    const { added } = await preview('core/v1/configmaps', 'reporter', { fix: 'create_namespace' });
    expect(added).toContain(`  name: ${MISSING_NAMESPACE}`);
  });

  it(
    'no longer lists what was fixed',
    async () => {
      let left: string[] = [];
      await waitFor(
        async () => {
          left = (await problems()).map((each) => `${each.code} of ${each.name}`);
          return left.join() === 'job_deadline of deadline';
        },
        () => `The end of ${left.join(', ')}`,
        FIXED_MS,
      );
    },
    FIXED_MS + 10_000,
  );
}
