import jest from '../../jest.config.js';
import stryker from './stryker.config.js';

const unit = jest.projects.find((project) => project.displayName === 'unit');

/** The specs of the mutated files. */
export default {
  ...unit,
  rootDir: '../..',
  testMatch: stryker.mutate.map((file) => `<rootDir>/${file.replace(/\.ts$/, '.spec.ts')}`),
};
