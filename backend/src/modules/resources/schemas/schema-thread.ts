import { serveWork } from '../../../core/threads/index.js';
import { reduceSchema } from './reduce-schema.js';

serveWork({ reduceSchema });
