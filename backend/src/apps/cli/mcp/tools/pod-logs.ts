import { z } from 'zod';
import { parseOwnJson } from '../../../../core/parsing/index.js';
import type { PodLogEvent } from '../../../../modules/pod-logs/index.js';
import { CliError, EXIT } from '../../cli-error.js';
import { ApiError } from '../../client/api-client.js';
import { containerName, inCluster, limitOf, namespaceName, objectName, UNTRUSTED } from '../input.js';
import { linesOf, type Output } from '../output.js';
import { readTool, type ReadApi, type Tool } from '../tool.js';

export const podLogTools: readonly Tool[] = [
  readTool({
    name: 'get_pod_logs',
    title: 'Get the log of a pod',
    description: `Returns the state of the containers of a pod (why one waits, restarts) and the newest lines of one, read from the cluster. For a pod that no longer exists, use search_logs. ${UNTRUSTED}`,
    input: {
      ...inCluster,
      namespace: namespaceName.default('default'),
      pod: objectName,
      container: containerName.optional().describe('By default the first main container'),
      previous: z
        .boolean()
        .default(false)
        .describe('The instance before the last restart, such as one that crashed'),
      limit: limitOf(100),
    },
    run: async ({ cluster, runtime, namespace, pod, container, previous, limit }, { dashboard }) => {
      const of = { name: cluster, runtime, namespace, pod };
      const { containers } = await dashboard.get(
        '/api/v1/clusters/{name}/pods/{namespace}/{pod}/containers',
        of,
      );
      const chosen = container ?? containers.find(({ role }) => role === 'main')?.name;
      if (chosen === undefined) throw new CliError(`Pod ${pod} has no main container.`, EXIT.notFound);
      const log = await readLog(dashboard, {
        ...of,
        container: chosen,
        previous,
        tail: limit,
      });
      return { containers, container: chosen, ...log };
    },
  }),
];

interface LogParams {
  name: string;
  runtime: string | undefined;
  namespace: string;
  pod: string;
  container: string;
  previous: boolean;
  tail: number;
}

/** The lines. A container that has not started has none, and the state of the containers says why. */
async function readLog(api: ReadApi, params: LogParams): Promise<Output> {
  let text: string;
  try {
    text = await api.text('/api/v1/clusters/{name}/pods/{namespace}/{pod}/logs', params);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'log_unreadable') throw error;
    return { lines: [], note: error.message };
  }
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => parseOwnJson<PodLogEvent>(line));
  const failed = events.find((event) => event.type === 'error');
  if (failed) throw new CliError(failed.message);
  const lines = events.flatMap((event) => (event.type === 'line' ? [event.line] : [])).reverse();
  return linesOf(
    lines.map(({ time, level, text: line }) => ({ time, level, text: line })),
    'Lower limit.',
  );
}
