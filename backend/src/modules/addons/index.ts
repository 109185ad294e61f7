export { AddonsModule } from './addons.module.js';
