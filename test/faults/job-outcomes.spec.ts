import { expect, it } from '@jest/globals';
import { JOB_KINDS } from '../../backend/src/modules/jobs/job.dto.js';
import { INSIDE } from '../support/jobs/addon-outcomes.js';
import { CASES } from '../support/jobs/cluster-outcomes.js';
import { describeClusterJobs, kindsOf, MADE_NEW } from '../support/jobs/outcome-runs.js';

it('has cases for each kind of job', () => {
  expect([...kindsOf(CASES), ...kindsOf(INSIDE)].toSorted()).toEqual([...JOB_KINDS].toSorted());
});

describeClusterJobs(kindsOf(CASES).filter((kind) => !MADE_NEW.includes(kind)));
