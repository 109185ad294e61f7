import { z } from 'zod';
import type {
  AppliedDto,
  ChangedResourceDto,
  RemovedResourceDto,
  ResourceObjectDto,
  ScaledResourceDto,
} from '../../../../modules/resources/index.js';
import { CliError, EXIT } from '../../cli-error.js';
import { path } from '../../client/api-client.js';
import { dryRun, inCluster, kind, namespace, objectName, UNTRUSTED } from '../input.js';
import { listOf } from '../output.js';
import { writeTool, type Tool, type WriteCall } from '../tool.js';
import { objectPath } from './kinds.js';

/** Characters that fit a request of 256 kB as JSON, also if they take more than one byte. */
const MAX_YAML = 100_000;

const object = {
  ...inCluster,
  kind,
  namespace: namespace.describe('For namespaced kinds'),
  name: objectName,
  dry_run: dryRun,
};

export const resourceChanges: readonly Tool[] = [
  writeTool({
    name: 'apply_manifest',
    title: 'Apply YAML',
    description: `Creates or changes Kubernetes objects as kubectl apply does. The dry run is validated by the cluster, and returns each object before and after. ${UNTRUSTED}`,
    destructive: true,
    idempotent: true,
    input: {
      ...inCluster,
      yaml: z.string().min(1).max(MAX_YAML).describe('One or more documents, separated by ---'),
      namespace: namespace.describe('For namespaced objects without one. Default: default'),
      force: z.boolean().default(false).describe('Take over fields of other managers'),
      dry_run: dryRun,
    },
    run: async ({ cluster, runtime, ...body }, { api }) => {
      // Values that look like secrets are masked in results; they must not replace the real ones.
      if (/\[[\w ]*removed\]/.test(body.yaml)) {
        throw new CliError('The YAML contains [removed], a masked secret. Leave the field out.', EXIT.usage);
      }
      const route = path`/api/v1/clusters/${cluster}/resources/apply`;
      const { documents, ...applied } = await api.send<AppliedDto>('POST', route, {
        query: { runtime },
        body,
      });
      const failed = documents.filter(({ outcome }) => outcome === 'failed').length;
      const shown = documents.map(({ before, after, ...document }) =>
        body.dry_run ? { ...document, before, after } : document,
      );
      return { ...applied, failed, ...listOf('documents', shown, 'Apply fewer documents at once.') };
    },
  }),
  writeTool({
    name: 'delete_resource',
    title: 'Delete a Kubernetes object',
    description: 'Deletes an object and what it owns. A deleted pod of a workload is replaced.',
    destructive: true,
    idempotent: false,
    input: object,
    run: async ({ dry_run, ...wanted }, { api }) => {
      const query = { runtime: wanted.runtime, namespace: wanted.namespace, dry_run };
      return { ...(await api.send<RemovedResourceDto>('DELETE', await pathOf(api, wanted), { query })) };
    },
  }),
  writeTool({
    name: 'restart_workload',
    title: 'Restart a workload',
    description:
      'Replaces the pods of a Deployment, StatefulSet or DaemonSet, as kubectl rollout restart does.',
    destructive: true,
    idempotent: false,
    input: object,
    run: async ({ dry_run, ...wanted }, { api }) => {
      const query = { runtime: wanted.runtime, namespace: wanted.namespace };
      const route = await pathOf(api, wanted);
      if (dry_run) {
        await actionTarget(api, route, query, 'restart');
        return { dry_run, would: `Replaces the pods of ${wanted.kind} ${wanted.name}, a few at a time.` };
      }
      return { ...(await api.send<ChangedResourceDto>('POST', `${route}/restart`, { query })) };
    },
  }),
  writeTool({
    name: 'scale_workload',
    title: 'Scale a workload',
    description: 'Sets the replicas of a Deployment, ReplicaSet or StatefulSet.',
    destructive: true,
    idempotent: true,
    input: { ...object, replicas: z.int().min(0).max(1000) },
    run: async ({ dry_run, replicas, ...wanted }, { api }) => {
      const query = { runtime: wanted.runtime, namespace: wanted.namespace };
      const route = await pathOf(api, wanted);
      if (dry_run) {
        const { replicas: now } = await actionTarget(api, route, query, 'scale');
        return {
          dry_run,
          would: `Scales ${wanted.kind} ${wanted.name} from ${now} to ${replicas} replicas.`,
        };
      }
      return {
        ...(await api.send<ScaledResourceDto>('POST', `${route}/scale`, { query, body: { replicas } })),
      };
    },
  }),
];

type Api = WriteCall['api'];

interface Wanted {
  cluster: string;
  runtime?: string | undefined;
  kind: string;
  name: string;
}

async function pathOf(api: Api, { cluster, runtime, kind: of, name }: Wanted): Promise<string> {
  return await objectPath(api, { cluster, runtime }, of, name);
}

/** @throws CliError if the object does not exist or does not have the action. */
async function actionTarget(
  api: Api,
  route: string,
  query: Parameters<Api['get']>[1],
  action: ResourceObjectDto['actions'][number],
): Promise<ResourceObjectDto> {
  const found = await api.get<ResourceObjectDto>(route, query);
  if (found.actions.includes(action)) return found;
  throw new CliError(`Slipway cannot ${action} a ${found.type.kind}.`, EXIT.usage);
}
