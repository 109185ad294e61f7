import { WorkProcess } from '../../../core/work/index.js';
import { splitManifest } from './split-manifest.js';
import { preparedValues, shownKialiValues } from '../values/kiali-values.js';

const work = new WorkProcess(import.meta.url, 'addon-yaml-process');

/** Functions that parse YAML. Large texts are parsed in a work process. */
export const yaml = {
  preparedValues: work.forAnySize(preparedValues),
  shownKialiValues: work.forAnySize(shownKialiValues),
  splitManifest: work.forAnySize(splitManifest),
};
