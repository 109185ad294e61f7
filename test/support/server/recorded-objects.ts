import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitFor } from '../wait-for.js';

/** Waits until a job has recorded the containers that it created or deletes. */
export async function objectsRecorded(
  dataDirectory: string,
  jobId: number,
  purpose: 'create' | 'delete',
): Promise<void> {
  const database = new DatabaseSync(join(dataDirectory, 'slipway.db'), { readOnly: true });
  try {
    const recorded = database.prepare(
      `SELECT 1 FROM job_objects WHERE job_id = ? AND purpose = ? AND type = 'container'`,
    );
    await waitFor(() => recorded.get(jobId, purpose) !== undefined, 'the record of the containers');
  } finally {
    database.close();
  }
}
