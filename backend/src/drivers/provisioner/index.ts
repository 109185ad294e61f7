export { KindProvisioner } from './kind/kind-provisioner.js';
export { kindSteps } from './kind-steps.js';
export { judgeTag, TAG_FITS } from './tag-fit.js';
export type { TagFit } from './tag-fit.js';
export { readImageArchive } from './image-archive.js';
export type { ArchivedImage } from './image-archive.js';
export * from './cluster-provisioner.js';
