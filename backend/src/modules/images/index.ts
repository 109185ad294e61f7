export { ClusterImagesDto, EngineImageDto } from './image.dto.js';
export { ImagesModule } from './images.module.js';
export { DiskUsageDto } from './usage.dto.js';
