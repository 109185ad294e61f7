import { describeClusterJobs, MADE_NEW } from '../support/jobs/outcome-runs.js';

describeClusterJobs(MADE_NEW);
