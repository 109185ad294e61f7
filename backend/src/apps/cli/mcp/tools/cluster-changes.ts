import { z } from 'zod';
import { parseOwnJson } from '../../../../core/parsing/index.js';
import type { CreateClusterDto } from '../../../../modules/clusters/index.js';
import {
  CLUSTER_NAME,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  NODE_IMAGE_TAG,
} from '../../../../core/security/grammar.js';
import { CliError } from '../../cli-error.js';
import { ApiError } from '../../client/api-client.js';
import { assertOfKind } from '../../client/external.js';
import { bestTag } from '../../client/node-image.js';
import { cancelJob, deleteCluster, readJob } from '../../jobs/job-requests.js';
import { dryRun, inCluster, jobId, matching, runtime, wait } from '../input.js';
import type { Output } from '../output.js';
import { runJob } from '../run-job.js';
import { writeTool, type Tool, type WriteCall } from '../tool.js';

const EFFECTS = {
  start: 'Starts its nodes as they are. A changed config is not applied.',
  stop: 'Stops its nodes. What runs in it is interrupted; its data is kept.',
  pause: 'Pauses its nodes. They keep their memory and use no CPU.',
  unpause: 'Resumes its nodes.',
} as const;

export const clusterChanges: readonly Tool[] = [
  writeTool({
    name: 'create_cluster',
    title: 'Create a cluster',
    description:
      'Creates a cluster, which takes one to three minutes. The dry run returns all problems and the kind config. Configs that reach the host (mounts, patches, foreign images) are rejected: only the user can accept them.',
    destructive: false,
    idempotent: false,
    input: {
      name: matching(CLUSTER_NAME, 'lowercase letters, digits and hyphens').describe(
        'Lowercase letters, digits and hyphens',
      ),
      workers: z.int().min(0).max(MAX_WORKERS).optional().describe('Default: 0'),
      control_planes: z.int().min(1).max(MAX_CONTROL_PLANES).optional().describe('Default: 1'),
      node_image_tag: matching(NODE_IMAGE_TAG, 'a full version, such as v1.34.4')
        .optional()
        .describe('Kubernetes version, such as v1.34.4'),
      config: z
        .string()
        .max(100_000)
        .optional()
        .describe('A complete kind config in YAML, instead of workers and control_planes'),
      addons: z
        .array(z.string().max(40))
        .max(20)
        .optional()
        .describe('Addons of the catalog, such as metrics-server'),
      runtime,
      dry_run: dryRun,
      wait,
    },
    run: create,
  }),
  writeTool({
    name: 'delete_cluster',
    title: 'Delete a cluster',
    description:
      'Deletes a cluster with its containers, volumes and saved files. This cannot be undone. Not for external clusters.',
    destructive: true,
    idempotent: false,
    input: { ...inCluster, dry_run: dryRun, wait },
    run: async ({ cluster: name, runtime: engine, dry_run, wait: isWaiting }, call) => {
      if (dry_run) {
        const effect =
          'Deletes the cluster with its containers, volumes and saved files, and everything that runs in it.';
        return await planOf(call, { name, runtime: engine }, effect);
      }
      return await runJob(call, await deleteCluster(call.api, { name, runtime: engine }), isWaiting);
    },
  }),
  writeTool({
    name: 'change_cluster_state',
    title: 'Start, stop, pause or unpause a cluster',
    description: 'Starts, stops, pauses or unpauses the nodes of a cluster. Not for external clusters.',
    destructive: true,
    idempotent: true,
    input: { ...inCluster, action: z.enum(['start', 'stop', 'pause', 'unpause']), dry_run: dryRun, wait },
    run: async ({ cluster: name, runtime: engine, action, dry_run, wait: isWaiting }, call) => {
      const params = { name, runtime: engine };
      if (dry_run) return await planOf(call, params, EFFECTS[action]);
      const reference = await call.api.send(`POST /api/v1/clusters/{name}/${action}`, {
        ...params,
        ...(action === 'start' && { keep_nodes: true }),
      });
      return await runJob(call, reference, isWaiting);
    },
  }),
  writeTool({
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'Cancels a job and undoes what it has done.',
    destructive: true,
    idempotent: true,
    input: { id: jobId, dry_run: dryRun },
    run: async ({ id, dry_run }, { api }) => {
      if (!dry_run) await cancelJob(api, id);
      const job = await readJob(api, id);
      if (dry_run) return { dry_run, would: 'Cancels the job, unless it has ended.', job };
      return { job, note: 'The job ends when it is undone. Follow it with get_job.' };
    },
  }),
];

interface Creation {
  name: string;
  workers?: number | undefined;
  control_planes?: number | undefined;
  node_image_tag?: string | undefined;
  config?: string | undefined;
  addons?: string[] | undefined;
  runtime?: string | undefined;
  dry_run: boolean;
  wait: boolean;
}

async function create(
  { dry_run, wait: isWaiting, addons, ...wanted }: Creation,
  call: WriteCall,
): Promise<Output> {
  const shape =
    wanted.config === undefined
      ? {
          workers: wanted.workers ?? 0,
          node_image_tag:
            wanted.node_image_tag ?? (await bestTag(call.api, 'Choose one with node_image_tag.')),
        }
      : {};
  const chosen = addons?.map((addon) => ({ addon }));
  const body: CreateClusterDto = parseOwnJson(JSON.stringify({ ...wanted, ...shape, addons: chosen }));
  if (dry_run) {
    return { dry_run, ...(await call.api.send('POST /api/v1/clusters/check', {}, body)) };
  }
  try {
    const reference = await call.api.send('POST /api/v1/clusters', {}, body);
    return await runJob(call, reference, isWaiting);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'confirmation_required') throw error;
    throw new CliError(
      'The config reaches this machine, which only the user can accept. Show the dry run to the user, who can run: slipway create NAME --config FILE --accept-host-access',
    );
  }
}

async function planOf(
  { api }: WriteCall,
  cluster: { name: string; runtime: string | undefined },
  would: string,
): Promise<Output> {
  const found = await api.get('/api/v1/clusters/{name}', cluster);
  assertOfKind(found);
  return { dry_run: true, would, cluster: found };
}
