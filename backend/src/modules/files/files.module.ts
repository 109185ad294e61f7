import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ContainerFiles } from './container-files.js';
import { FileReads } from './file-reads.js';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';

/** The files of containers, read and written by programs of the containers themselves. */
@Module({
  imports: [JournalModule, ResourcesModule],
  controllers: [FilesController],
  providers: [FilesService, FileReads, ContainerFiles],
})
export class FilesModule {}
