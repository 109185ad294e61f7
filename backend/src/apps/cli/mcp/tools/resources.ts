import { z } from 'zod';
import type { ResourceTableDto } from '../../../../modules/resources/index.js';
import { inCluster, kind, limitOf, namespace, objectName, UNTRUSTED } from '../input.js';
import { listOf, type Output } from '../output.js';
import { readTool, type Tool } from '../tool.js';
import { OBJECT, objectParams, typeParams } from './kinds.js';

const ALL_NAMESPACES = namespace.describe('Namespace; all by default');

export const resourceTools: readonly Tool[] = [
  readTool({
    name: 'list_resources',
    title: 'List Kubernetes objects',
    description: `Lists objects of a kind with the columns of kubectl get and a health. ${UNTRUSTED}`,
    input: {
      ...inCluster,
      kind,
      namespace: ALL_NAMESPACES,
      label_selector: z.string().max(1000).optional().describe('As in kubectl get -l'),
      field_selector: z.string().max(1000).optional().describe('As in kubectl get --field-selector'),
      search: z.string().max(253).optional().describe('Part of the name'),
      limit: limitOf(50),
    },
    run: async ({ cluster, runtime, kind: wanted, ...query }, { dashboard }) => {
      const params = await typeParams(dashboard, { cluster, runtime }, wanted);
      const table = await dashboard.get('/api/v1/clusters/{name}/resources/{group}/{version}/{plural}', {
        ...params,
        ...query,
      });
      return rowsOf(table, 'Narrow the list with namespace, label_selector or search.');
    },
  }),
  readTool({
    name: 'get_resource',
    title: 'Get a Kubernetes object',
    description: `Returns an object as YAML. Values of Secrets are hidden. ${UNTRUSTED}`,
    input: { ...inCluster, kind, namespace: namespace.describe('For namespaced kinds'), name: objectName },
    run: async (input, { dashboard }) => {
      const { type, ...object } = await dashboard.get(OBJECT, await objectParams(dashboard, input));
      // The YAML contains them.
      return { kind: type.kind, ...object, spec: undefined, status: undefined };
    },
  }),
  readTool({
    name: 'diagnose_resource',
    title: 'Find out why a Kubernetes object is unhealthy',
    description: `Returns the causes with evidence (state, event, last lines of the container that ended) and the next step. Of a Deployment, StatefulSet, DaemonSet, Job, CronJob or Service, also those of its pods. ${UNTRUSTED}`,
    input: { ...inCluster, kind, namespace: namespace.describe('For namespaced kinds'), name: objectName },
    run: async (input, { dashboard }) => ({
      ...(await dashboard.get(`${OBJECT}/diagnosis`, await objectParams(dashboard, input))),
    }),
  }),
  readTool({
    name: 'get_events',
    title: 'Get Kubernetes events',
    description: `Lists events, newest first: of one object (kind and name), of a namespace, or of the cluster. Events of a pod are the pod's, not its Deployment's. ${UNTRUSTED}`,
    input: {
      ...inCluster,
      namespace: ALL_NAMESPACES,
      kind: kind.optional(),
      name: objectName.optional().describe('Name of the object; needs kind'),
      limit: limitOf(50),
    },
    run: async ({ cluster, runtime, namespace: of, kind: wanted, name, limit }, { dashboard }) => {
      const table =
        wanted === undefined || name === undefined
          ? await dashboard.get('/api/v1/clusters/{name}/resources/{group}/{version}/{plural}', {
              name: cluster,
              ...{ runtime, namespace: of, limit },
              ...{ group: 'core', version: 'v1', plural: 'events' },
            })
          : await dashboard.get(
              `${OBJECT}/events`,
              await objectParams(dashboard, { cluster, runtime, kind: wanted, name, namespace: of }),
            );
      return rowsOf(
        { ...table, rows: table.rows.slice(0, limit), total: table.total ?? table.rows.length },
        'Narrow the list with namespace, or with kind and name.',
        'events',
      );
    },
  }),
];

/** The columns that kubectl shows without `-o wide`. */
function rowsOf(
  { columns, rows, total, ...table }: ResourceTableDto,
  narrow: string,
  name = 'objects',
): Output {
  const items = rows.map(({ namespace: of, name: own, health, created_at, owner, cells }) => ({
    name: own,
    namespace: of,
    health,
    created_at,
    owner,
    columns: Object.fromEntries(
      columns.flatMap((column, index) => (column.priority === 0 ? [[column.name, cells[index]]] : [])),
    ),
  }));
  const more = total ?? rows.length + (table.continue === null ? 0 : 1);
  return { kind: table.type.kind, ...listOf(name, items, narrow, more) };
}
