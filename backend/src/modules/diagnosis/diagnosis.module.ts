import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/index.js';
import { DiagnosisController } from './diagnosis.controller.js';
import { DiagnosisService } from './diagnosis.service.js';

/** Explains why objects are unhealthy. */
@Module({
  imports: [ResourcesModule],
  controllers: [DiagnosisController],
  providers: [DiagnosisService],
})
export class DiagnosisModule {}
