import { serveWork } from '../../../core/threads/index.js';
import { parseValues } from './parse-values.js';

serveWork({ parseValues });
