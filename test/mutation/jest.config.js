import jest from '../../jest.config.js';

const unit = jest.projects.find((project) => project.displayName === 'unit');

/** The unit specs, each in a run of its own. */
export default { ...unit, rootDir: '../..' };
