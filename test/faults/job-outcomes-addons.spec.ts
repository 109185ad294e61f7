import { describeAddonJobs } from '../support/jobs/outcome-runs.js';

describeAddonJobs();
