export { ClusterImagesService } from './cluster-images.service.js';
export { ClusterImagesDto, EngineImageDto } from './common/image.dto.js';
export { ImagesModule } from './images.module.js';
export { DiskUsageDto } from './common/usage.dto.js';
