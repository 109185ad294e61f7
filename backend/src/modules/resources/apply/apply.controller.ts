import { Body, Controller, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../../core/api/index.js';
import { AccessGuard, DryRunScope } from '../../../core/security/index.js';
import { OPEN_FAILURES } from '../open-failures.js';
import { AppliedDto, ApplyDto } from './apply.dto.js';
import { ApplyService } from './apply.service.js';

const examples = {
  'dry run': {
    summary: 'What would become of it',
    value: {
      yaml: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
      dry_run: true,
    },
  },
};

@ApiTags('resources')
@UseGuards(AccessGuard)
@Controller('clusters/:name/resources')
export class ApplyController {
  constructor(private readonly applications: ApplyService) {}

  @Post('apply')
  @HttpCode(200)
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Apply YAML of one document or many',
    description:
      'Server-side apply as the manager `slipway`. Namespaces and definitions of kinds go first. A document that fails does not keep the others from being applied: each has its own outcome, and the answer is 200. `dry_run` changes nothing and gives the differences. In a Secret, a value whose hidden mark was left stays as it is stored.',
  })
  @ApiClusterName()
  @ApiBody({ type: ApplyDto, examples })
  @Returns(AppliedDto)
  @Fails(...OPEN_FAILURES)
  apply(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() { yaml, namespace = 'default', dry_run = false, force = false }: ApplyDto,
  ): Promise<AppliedDto> {
    return this.applications.apply(clusterName(name), runtime, { yaml, namespace, dryRun: dry_run, force });
  }
}
