import { WorkProcess } from '../../../core/work/index.js';
import { preparedValues, shownKialiValues } from '../values/kiali-values.js';
import { splitManifest } from './split-manifest.js';

/** Functions that parse YAML. Large texts are parsed in a work process. */
export const yaml = WorkProcess.forAnySize(import.meta.url, 'addon-yaml-process', {
  preparedValues,
  shownKialiValues,
  splitManifest,
});
