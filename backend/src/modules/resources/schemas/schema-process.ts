import { WorkProcess } from '../../../core/work/index.js';
import { reduceSchema } from './reduce-schema.js';

export const schemas = WorkProcess.forAnySize(import.meta.url, 'schema-process', { reduceSchema });
