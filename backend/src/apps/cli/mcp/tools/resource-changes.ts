import { z } from 'zod';
import type { ResourceObjectDto } from '../../../../modules/resources/index.js';
import { CliError, EXIT } from '../../cli-error.js';
import type { FixCode } from '../../../../modules/diagnosis/index.js';
import { containerName, dryRun, inCluster, kind, namespace, objectName, UNTRUSTED, wait } from '../input.js';
import { listOf } from '../output.js';
import { runJob } from '../run-job.js';
import { writeTool, type Tool, type WriteCall } from '../tool.js';
import { OBJECT, objectParams } from './kinds.js';

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
      const params = { name: cluster, runtime };
      const { documents, ...applied } = await api.send(
        'POST /api/v1/clusters/{name}/resources/apply',
        params,
        body,
      );
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
    run: async ({ dry_run, ...wanted }, { api }) => ({
      ...(await api.send(`DELETE ${OBJECT}`, { ...(await objectParams(api, wanted)), dry_run })),
    }),
  }),
  writeTool({
    name: 'fix_resource',
    title: 'Remove a cause of an unhealthy object',
    description: `Applies one of the fixes that diagnose_resource returns. The dry run returns the object before and after. ${UNTRUSTED}`,
    destructive: true,
    idempotent: false,
    input: {
      ...object,
      fix: z.string().max(100).describe('Code of the fix, such as raise_memory_limit'),
      container: containerName.optional().describe('Container of the cause, if several have the fix'),
      parameters: z.record(z.string(), z.string()).default({}).describe('Others keep their default'),
      wait,
    },
    run: async ({ fix, container, parameters, dry_run, wait: waits, ...wanted }, call) => {
      const params = await objectParams(call.api, wanted);
      const { job, ...fixed } = await call.api.send(`POST ${OBJECT}/fix`, params, {
        ...{ fix: fix as FixCode, container, parameters, dry_run },
      });
      return job ? await runJob(call, job, waits) : { ...fixed };
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
      const params = await objectParams(api, wanted);
      if (dry_run) {
        await actionTarget(api, params, 'restart');
        return { dry_run, would: `Replaces the pods of ${wanted.kind} ${wanted.name}, a few at a time.` };
      }
      return { ...(await api.send(`POST ${OBJECT}/restart`, params)) };
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
      const params = await objectParams(api, wanted);
      if (dry_run) {
        const { replicas: now } = await actionTarget(api, params, 'scale');
        return {
          dry_run,
          would: `Scales ${wanted.kind} ${wanted.name} from ${now} to ${replicas} replicas.`,
        };
      }
      return { ...(await api.send(`POST ${OBJECT}/scale`, params, { replicas })) };
    },
  }),
];

type Api = WriteCall['api'];

/** @throws CliError if the object does not exist or does not have the action. */
async function actionTarget(
  api: Api,
  params: Awaited<ReturnType<typeof objectParams>>,
  action: ResourceObjectDto['actions'][number],
): Promise<ResourceObjectDto> {
  const found = await api.get(OBJECT, params);
  if (found.actions.includes(action)) return found;
  throw new CliError(`Slipway cannot ${action} a ${found.type.kind}.`, EXIT.usage);
}
