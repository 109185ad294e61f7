import { serveWork } from '../../../backend/src/core/work/serve-work.js';
import { backtracking, doubling, endless, failing, greedy, processId, yamlErrors } from './functions.js';

serveWork({ backtracking, doubling, endless, failing, greedy, processId, yamlErrors });
