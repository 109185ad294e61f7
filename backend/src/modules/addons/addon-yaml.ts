import { WorkThread } from '../../core/threads/index.js';
import { splitManifest } from './release/split-manifest.js';
import { preparedValues, shownKialiValues } from './values/kiali-values.js';

const thread = new WorkThread(import.meta.url, 'addon-yaml-thread');

/** Everything in addons that parses YAML, for texts of any size: large ones are parsed in a thread. */
export const yaml = {
  preparedValues: thread.forAnySize(preparedValues),
  shownKialiValues: thread.forAnySize(shownKialiValues),
  splitManifest: thread.forAnySize(splitManifest),
};
