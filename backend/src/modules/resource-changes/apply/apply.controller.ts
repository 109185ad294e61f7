import { Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { OPEN_FAILURES } from '../../resources/index.js';
import { AppliedDto, ApplyDto } from './apply.dto.js';
import { ApplyService } from './apply.service.js';

const examples = {
  'dry run': {
    summary: 'Dry run',
    value: {
      yaml: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
      dry_run: true,
    },
  },
};

@GuardedController('resources', 'clusters/:name/resources')
export class ApplyController {
  constructor(private readonly applications: ApplyService) {}

  @Post('apply')
  @HttpCode(200)
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Apply YAML documents',
    description:
      'Server-side apply with the field manager `slipway`. Namespaces and CRDs are applied first. Documents are independent: the response is 200 with an outcome for each, even if some fail. `dry_run` returns the diffs without changing anything. Hidden values of a Secret (`<hidden>`) keep their stored value.',
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
