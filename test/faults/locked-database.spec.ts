import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { createCluster, jobEnded, journalOf, requestCluster, clusterSpec } from '../support/app/clusters.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { withServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

/** Locks the database as a sqlite3 shell or a backup program does. */
function lock(dataDirectory: string): { end: () => void } {
  const other = new DatabaseSync(join(dataDirectory, 'slipway.db'), { timeout: 5000 });
  other.exec('BEGIN EXCLUSIVE');
  return {
    end: () => {
      other.exec('ROLLBACK');
      other.close();
    },
  };
}

describe('a database that another program locks', () => {
  it('rejects changes with a reason, answers reads at once, and loses nothing of a running job', async () => {
    await withServer(async ({ client, dataDirectory, machine: { kind } }) => {
      await createCluster(client, 'before');
      kind.freezeAt('preparing-nodes');
      const id = await requestCluster(client, 'shop');
      await waitFor(() => kind.hasReached('preparing-nodes'), 'the step');
      const locked = lock(dataDirectory);
      kind.thaw();
      const { status, body } = await client.send('POST', '/api/v1/clusters', { body: clusterSpec('other') });
      const { code, message } = body as ErrorResponse;
      expect([status, code]).toEqual([503, 'storage_unavailable']);
      expect(message).toBe(
        'Could not write to the data folder: another program, such as a backup or sqlite3, has locked its database. Wait until it has ended, or end it, and try again.',
      );
      expect(await client.get('/api/v1/clusters/before')).toMatchObject({ name: 'before' });
      // The job goes on, and its steps are written later.
      await client.until<JobWithLogDto>(`/api/v1/jobs/${id}`, ({ progress_steps }) =>
        progress_steps.some(({ name, state }) => name === 'starting-control-plane' && state === 'succeeded'),
      );
      locked.end();
      expect((await jobEnded(client, id)).state).toBe('succeeded');
      expect(await journalOf(client, '?cluster=shop')).toMatchObject([{ job_id: id, outcome: 'succeeded' }]);
    });
  });
});
