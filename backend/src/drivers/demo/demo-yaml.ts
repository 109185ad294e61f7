import { WorkProcess } from '../../core/work/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { renderRelease, manifestObjects } from './package-manager/rendering.js';

const work = new WorkProcess(import.meta.url, 'demo-yaml-process');

/** What the demo does with YAML of users, for texts of any size. */
export const yaml = {
  renderRelease: work.forAnySize(renderRelease),
  manifestObjects: work.forAnySize(manifestObjects),
  yamlValue: work.forAnySize(yamlValue),
};
