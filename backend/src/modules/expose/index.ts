export { ExposeModule } from './expose.module.js';
