export { VersionsDto } from './version.dto.js';
export { VersionsModule } from './versions.module.js';
export { VersionsService } from './versions.service.js';
