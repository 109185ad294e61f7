import { WorkProcess } from '../../core/work/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { manifestObjects, renderRelease } from './package-manager/rendering.js';

/** The demo's functions on users' YAML, for texts of any size. */
export const yaml = WorkProcess.forAnySize(import.meta.url, 'demo-yaml-process', {
  manifestObjects,
  renderRelease,
  yamlValue,
});
