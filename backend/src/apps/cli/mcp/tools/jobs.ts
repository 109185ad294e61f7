import { z } from 'zod';
import { clusterName, jobId, limitOf, matching, UNTRUSTED } from '../input.js';
import { listOf, MAX_ITEMS } from '../output.js';
import { readTool, type Tool } from '../tool.js';

export const jobTools: readonly Tool[] = [
  readTool({
    name: 'list_jobs',
    title: 'List jobs',
    description: 'Lists jobs, newest first: what Slipway does or did to clusters, with progress and errors.',
    input: {
      cluster: clusterName.optional(),
      active: z.boolean().default(false).describe('Only jobs that have not ended'),
    },
    run: async ({ cluster, active }, { dashboard }) => {
      const jobs = await dashboard.get('/api/v1/jobs');
      const wanted = jobs.filter(
        (job) => (cluster === undefined || job.cluster === cluster) && !(active && job.finished_at !== null),
      );
      const short = wanted.map(({ progress_steps: _steps, ...job }) => job);
      return listOf('jobs', short, 'Narrow the list with cluster or active.');
    },
  }),
  readTool({
    name: 'get_job',
    title: 'Get a job',
    description: `Returns a job with its steps and the last lines of its log. ${UNTRUSTED}`,
    input: { id: jobId },
    run: async ({ id }, { dashboard }) => {
      const { progress_log, ...job } = await dashboard.get('/api/v1/jobs/{id}', { id });
      const last = progress_log.slice(-MAX_ITEMS);
      const narrow = `The whole log: slipway jobs ${id}`;
      return { job, ...listOf('log', last, narrow, progress_log.length) };
    },
  }),
  readTool({
    name: 'list_journal',
    title: 'List the journal',
    description: `Lists what happened to clusters and who did it, newest first. ${UNTRUSTED}`,
    input: {
      cluster: clusterName.optional(),
      kind: matching(/^[a-z][a-z-]{0,40}$/, 'a kind of entry, such as create')
        .optional()
        .describe('Kind of entry, such as create, stop or addon-install'),
      outcome: z.enum(['started', 'succeeded', 'failed', 'cancelled', 'interrupted']).optional(),
      text: z.string().max(200).optional().describe('Text that the message contains'),
      since: z.string().max(40).optional().describe('From this time on (RFC 3339)'),
      until: z.string().max(40).optional().describe('Before this time (RFC 3339)'),
      limit: limitOf(30),
    },
    run: async (input, { dashboard }) => {
      const { entries, total } = await dashboard.get('/api/v1/journal/recent', input);
      return listOf('entries', entries, 'Narrow the list with cluster, kind, since or until.', total);
    },
  }),
];
