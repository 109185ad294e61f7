import { WorkThread } from '../../../core/threads/index.js';
import { splitManifest } from './split-manifest.js';
import { preparedValues, shownKialiValues } from '../values/kiali-values.js';

const thread = new WorkThread(import.meta.url, 'addon-yaml-thread');

/** Functions that parse YAML. Large texts are parsed in a worker thread. */
export const yaml = {
  preparedValues: thread.forAnySize(preparedValues),
  shownKialiValues: thread.forAnySize(shownKialiValues),
  splitManifest: thread.forAnySize(splitManifest),
};
