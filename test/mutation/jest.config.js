import jest from '../../jest.config.js';

const unit = jest.projects.find((project) => project.displayName === 'unit');

/** The unit specs. The run of a mutation test names the one that it needs. */
export default { ...unit, rootDir: '../..' };
