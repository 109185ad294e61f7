import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { clusterName, Fails, Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import {
  ApiResourceObject,
  NamespaceQueryDto,
  OBJECT_FAILURES,
  type ObjectParameters,
} from '../resources/index.js';
import { DiagnosisDto } from './diagnosis.dto.js';
import { DiagnosisService } from './diagnosis.service.js';

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object/diagnosis')
export class DiagnosisController {
  constructor(private readonly diagnoses: DiagnosisService) {}

  @Get()
  @ApiOperation({
    summary: 'Explain why an object is unhealthy',
    description:
      'The causes of an unhealthy object, with their evidence and what to do. Includes those of its Pods: of a Deployment, StatefulSet, DaemonSet, Job or CronJob the ones that it owns, of a Service without endpoints the ones that it selects. If no rule knows more, the failed conditions and Warning events of the object and of its owners are quoted.',
  })
  @ApiResourceObject()
  @Returns(DiagnosisDto)
  @Fails(...OBJECT_FAILURES)
  async diagnose(
    @Param('name') name: string,
    @Param() path: ObjectParameters,
    @Query() { runtime, namespace }: NamespaceQueryDto,
  ): Promise<DiagnosisDto> {
    return await this.diagnoses.diagnose({ name: clusterName(name), runtime }, path, namespace);
  }
}
