import { WorkProcess } from '../../core/work/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { manifestObjects, renderRelease } from './package-manager/rendering.js';

/** What the demo does with YAML of users, for texts of any size. */
export const yaml = WorkProcess.forAnySize(import.meta.url, 'demo-yaml-process', {
  manifestObjects,
  renderRelease,
  yamlValue,
});
