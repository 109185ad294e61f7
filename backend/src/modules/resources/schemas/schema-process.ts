import { serveWork } from '../../../core/work/index.js';
import { reduceSchema } from './reduce-schema.js';

serveWork({ reduceSchema });
