import { WorkThread } from '../../core/threads/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { draftOf, manifestObjects } from './package-manager/rendering.js';

const thread = new WorkThread(import.meta.url, 'demo-yaml-thread');

/** Everything in the demo that handles YAML of the user's, for any size. */
export const yaml = {
  draftOf: thread.forAnySize(draftOf),
  manifestObjects: thread.forAnySize(manifestObjects),
  yamlValue: thread.forAnySize(yamlValue),
};
