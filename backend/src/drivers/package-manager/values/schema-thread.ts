import { serveWork } from '../../../core/threads/index.js';
import { schemaProblems } from './schema-problems.js';

serveWork({ schemaProblems });
