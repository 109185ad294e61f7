import { readTool, type Tool } from '../tool.js';

export const diagnosticTools: readonly Tool[] = [
  readTool({
    name: 'run_diagnostics',
    title: 'Check this machine',
    description:
      'Checks whether this machine can run clusters: container engines, programs, memory, disk, ports and limits, with a fix for each problem. Changes nothing.',
    input: {},
    run: async (_input, { dashboard }) => ({
      ...(await dashboard.get('/api/v1/diagnostics')),
    }),
  }),
];
