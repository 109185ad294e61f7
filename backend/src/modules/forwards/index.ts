export { ForwardAccess } from './forward-access.js';
export { ForwardsModule } from './forwards.module.js';
export { findPodPort } from './target/find-target.js';
