import { WorkThread } from '../../core/threads/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { renderRelease, manifestObjects } from './package-manager/rendering.js';

const thread = new WorkThread(import.meta.url, 'demo-yaml-thread');

/** What the demo does with YAML of users, for texts of any size. */
export const yaml = {
  renderRelease: thread.forAnySize(renderRelease),
  manifestObjects: thread.forAnySize(manifestObjects),
  yamlValue: thread.forAnySize(yamlValue),
};
