import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readProject } from '../../../core/config/project.js';
import type { Cli } from '../cli.js';
import { UNTRUSTED } from './input.js';
import type { Tool } from './tool.js';
import { clusterChanges } from './tools/cluster-changes.js';
import { clusterTools } from './tools/clusters.js';
import { diagnosticTools } from './tools/diagnostics.js';
import { jobTools } from './tools/jobs.js';
import { logTools } from './tools/logs.js';
import { podLogTools } from './tools/pod-logs.js';
import { resourceChanges } from './tools/resource-changes.js';
import { resourceTools } from './tools/resources.js';

const TOOLS: readonly Tool[] = [
  ...clusterTools,
  ...jobTools,
  ...resourceTools,
  ...podLogTools,
  ...logTools,
  ...diagnosticTools,
  ...clusterChanges,
  ...resourceChanges,
];

const INSTRUCTIONS = `Slipway runs local Kubernetes clusters (kind) on this machine, reaches external clusters of the user's kubeconfigs, and stores logs of containers. To find why a workload fails: list_resources, diagnose_resource, then get_events, get_pod_logs and search_logs. ${UNTRUSTED}`;
const WRITE_INSTRUCTIONS =
  'Tools that change something only describe the change unless dry_run is false. Show the user the dry run before you change or delete something. External clusters reject changes and dry runs with the reason until the user allows changes. No tool does that: leave it to the user.';

/** Serves the protocol until the client ends. @param isWritable whether to offer tools that change something. */
export async function serveMcp(cli: Cli, isWritable: boolean): Promise<void> {
  const { version } = readProject();
  const server = new McpServer(
    { name: 'slipway', title: 'Slipway', version },
    { instructions: isWritable ? `${INSTRUCTIONS} ${WRITE_INSTRUCTIONS}` : INSTRUCTIONS },
  );
  for (const tool of TOOLS) {
    if (isWritable || !tool.isWrite) tool.register(server, cli);
  }
  const closed = new Promise<void>((resolve) => (server.server.onclose = resolve));
  // The transport does not notice the end of its input.
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
  await closed;
}
