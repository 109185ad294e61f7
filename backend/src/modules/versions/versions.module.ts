import { Module } from '@nestjs/common';
import { RegistryTags } from './registry-tags.js';
import { VersionsController } from './versions.controller.js';
import { VersionsService } from './versions.service.js';

@Module({
  controllers: [VersionsController],
  providers: [RegistryTags, VersionsService],
  exports: [VersionsService],
})
export class VersionsModule {}
