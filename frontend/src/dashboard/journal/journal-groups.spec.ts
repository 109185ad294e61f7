import { describe, expect, it } from '@jest/globals';
import type { JournalListEntryDto } from '../../shared/api/api-types';
import { groupTitle } from './journal-groups';

describe('groupTitle', () => {
  it.each([
    ['resource-delete', 'configmaps/shop/a', 30, 0, 'Deleted 30 configmaps'],
    ['resource-delete', 'jobs.batch/shop/a', 30, 2, 'Deleted 28 jobs, 2 failed'],
    ['pod-restart', 'pods/shop/a', 2, 0, 'Restarted 2 pods'],
    ['resource-scale', 'deployments/shop/a', 3, 3, 'Scaled 0 deployments, 3 failed'],
    ['node-cordon', 'nodes/worker', 2, 0, 'Node cordoned: 2 nodes'],
    ['resource-expose', null, 2, 0, 'Workload exposed: 2 objects'],
  ])('of %s of %s, %i entries with %i failures, is %s', (kind, subject, group_size, group_failed, title) => {
    expect(groupTitle({ kind, subject, group_size, group_failed } as JournalListEntryDto)).toBe(title);
  });
});
