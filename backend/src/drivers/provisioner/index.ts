export { KindProvisioner } from './kind/kind-provisioner.js';
export { kindSteps } from './kind-steps.js';
export { isUnfit, judgeTag, TAG_FITS, type TagFit } from './tag-fit.js';
export { readImageArchive, type ArchivedImage } from './image-archive.js';
export * from './cluster-provisioner.js';
