import { Body, Delete, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation } from '@nestjs/swagger';
import { Returns, Fails, AcceptsYaml } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { ApiResourceObject, NamespaceQueryDto } from '../../resources/index.js';
import { CHANGE_FAILURES } from './change-failures.js';
import { addressOf, type AddressParameters } from './change-target.js';
import {
  ChangedResourceDto,
  ChangeQueryDto,
  RemovedResourceDto,
  RemoveQueryDto,
  ReplacedResourceDto,
  ScaledResourceDto,
  ScaleDto,
  YamlDto,
} from './change.dto.js';
import { EditService } from './edit.service.js';
import { RemovalService } from './removal.service.js';
import { WorkloadService } from './workload.service.js';

const scaleExamples = { three: { summary: 'Three replicas', value: { replicas: 3 } } };
const yamlExamples = {
  'config map': {
    value: {
      yaml: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
    },
  },
};

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object')
export class ChangeController {
  constructor(
    private readonly edits: EditService,
    private readonly removals: RemovalService,
    private readonly workloads: WorkloadService,
  ) {}

  @Put()
  @DryRunScope('query')
  @AcceptsYaml('yaml')
  @ApiOperation({
    summary: 'Replace an object',
    description:
      'Replaces the object after a dry run by the cluster and returns the diff. `dry_run=true` returns only the diff. If the object changed since the `resourceVersion` in the YAML, the error `resource_conflict` contains the current object. Hidden values of a Secret (`<hidden>`) keep their stored value.',
  })
  @ApiResourceObject()
  @ApiConsumes('application/json', 'application/yaml')
  @ApiBody({ type: YamlDto, examples: yamlExamples })
  @Returns(ReplacedResourceDto)
  @Fails(...CHANGE_FAILURES)
  replace(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
    @Body() { yaml }: YamlDto,
  ): Promise<ReplacedResourceDto> {
    return this.edits.replace(addressOf(parameters, query), yaml, dry_run);
  }

  @Delete()
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Delete an object',
    description:
      'Returns whether the object is gone or what its deletion waits for. A new object of the same name is never deleted.',
  })
  @ApiResourceObject()
  @Returns(RemovedResourceDto)
  @Fails(...CHANGE_FAILURES)
  remove(
    @Param() parameters: AddressParameters,
    @Query()
    { dry_run = false, propagation = 'background', grace_period_seconds, ...query }: RemoveQueryDto,
  ): Promise<RemovedResourceDto> {
    return this.removals.remove(addressOf(parameters, query), {
      propagation,
      gracePeriodSeconds: grace_period_seconds,
      dryRun: dry_run,
    });
  }

  @Post('scale')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Scale a Deployment, ReplicaSet or StatefulSet',
    description: 'Warns if an autoscaler or an owner may change the replicas again.',
  })
  @ApiResourceObject()
  @ApiBody({ type: ScaleDto, examples: scaleExamples })
  @Returns(ScaledResourceDto)
  @Fails(...CHANGE_FAILURES)
  scale(
    @Param() parameters: AddressParameters,
    @Query() query: NamespaceQueryDto,
    @Body() { replicas }: ScaleDto,
  ): Promise<ScaledResourceDto> {
    return this.workloads.scale(addressOf(parameters, query), replicas);
  }

  @Post('restart')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Restart a Deployment, StatefulSet or DaemonSet',
    description: 'Starts a rollout, as `kubectl rollout restart` does.',
  })
  @ApiResourceObject()
  @Returns(ChangedResourceDto)
  @Fails(...CHANGE_FAILURES)
  restart(
    @Param() parameters: AddressParameters,
    @Query() query: NamespaceQueryDto,
  ): Promise<ChangedResourceDto> {
    return this.workloads.restart(addressOf(parameters, query));
  }
}
