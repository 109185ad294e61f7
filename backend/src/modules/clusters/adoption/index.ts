export { AdoptedConfigs } from './adopted-configs.js';
