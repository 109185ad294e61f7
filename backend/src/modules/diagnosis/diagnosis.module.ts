import { Module } from '@nestjs/common';
import { ImagesModule } from '../images/index.js';
import { ResourcesModule } from '../resources/index.js';
import { DiagnosisController } from './diagnosis.controller.js';
import { DiagnosisService } from './diagnosis.service.js';

/** Explains why objects are unhealthy. */
@Module({
  imports: [ImagesModule, ResourcesModule],
  controllers: [DiagnosisController],
  providers: [DiagnosisService],
  exports: [DiagnosisService],
})
export class DiagnosisModule {}
