import { serveWork } from '../../../backend/src/core/work/index.js';
import { backtracking, doubling, endless, failing, greedy, processId, yamlErrors } from './functions.js';

serveWork({ backtracking, doubling, endless, failing, greedy, processId, yamlErrors });
