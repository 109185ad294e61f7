import { serveWork } from '../../../core/work/index.js';
import { parseValues } from './parse-values.js';
import { schemaProblems } from './schema-problems.js';

serveWork({ parseValues, schemaProblems });
