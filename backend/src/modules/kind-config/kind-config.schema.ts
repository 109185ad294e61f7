import { readFileSync } from 'node:fs';
import { yamlValue } from '../../core/yaml/index.js';
import type { TypeSchema } from './decode-kind-config.js';

/** The JSON Schema of kind configs. The build copies the file beside the bundled server. */
export const kindConfigSchema = yamlValue(
  readFileSync(new URL('./kind-config.schema.yaml', import.meta.url), 'utf8'),
) as TypeSchema;
