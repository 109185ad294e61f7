import { applyDecorators, Controller, Get, Param, Query, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import { AccessGuard, RouteScope } from '../../core/security/index.js';
import { JournalService } from '../journal/index.js';
import { type Cluster, ClustersService } from '../clusters/index.js';
import { ContainerKubeconfigQueryDto } from './kubeconfig.dto.js';
import { KubeconfigService } from './kubeconfig.service.js';

function AnswersKubeconfig(): MethodDecorator {
  return applyDecorators(
    ApiProduces('application/yaml'),
    ApiResponse({
      status: 200,
      description: 'YAML',
      content: {
        'application/yaml': { schema: { type: 'string' }, example: 'apiVersion: v1\nkind: Config\n…' },
      },
    }),
    Fails(
      'cluster_not_found',
      'cluster_ambiguous',
      'cluster_state',
      'kubeconfig_not_found',
      'cluster_unreachable',
      'runtime_unavailable',
    ),
  );
}

@ApiTags('clusters')
@UseGuards(AccessGuard)
@Controller('clusters')
export class KubeconfigController {
  constructor(
    private readonly kubeconfigs: KubeconfigService,
    private readonly clusters: ClustersService,
    private readonly journal: JournalService,
  ) {}

  @Get(':name/kubeconfig')
  @RouteScope('full')
  @ApiOperation({
    summary: 'Kubeconfig for this machine',
    description: 'Holds the credentials of the cluster’s administrator.',
  })
  @ApiClusterName()
  @AnswersKubeconfig()
  async forMachine(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<StreamableFile> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    const { text } = await this.kubeconfigs.of(cluster);
    this.record(cluster, 'for this machine');
    return asFile(text, `${name}.kubeconfig.yaml`);
  }

  @Get(':name/kubeconfig/docker')
  @RouteScope('full')
  @ApiOperation({
    summary: 'Kubeconfig for use inside containers',
    description:
      'With the same credentials and the same certificate authority: TLS is verified in both variants. `host` names the machine as its containers do, with `tls-server-name`, because no certificate of kind has that name; `network` names the control plane, or the load balancer before several, inside the network `kind`.',
  })
  @ApiClusterName()
  @AnswersKubeconfig()
  async forContainers(
    @Param('name') name: string,
    @Query() { runtime, variant }: ContainerKubeconfigQueryDto,
  ): Promise<StreamableFile> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    const text = await this.kubeconfigs.forContainers(cluster, variant);
    this.record(cluster, `for containers (${variant})`);
    return asFile(text, `${name}.${variant}.kubeconfig.yaml`);
  }

  /** Before it is handed out: what cannot be recorded is not. */
  private record({ name, runtime }: Cluster, what: string): void {
    this.journal.record({
      kind: 'kubeconfig-download',
      cluster: name,
      runtime,
      outcome: 'succeeded',
      message: `The administrator’s kubeconfig of ${name} was downloaded, ${what}.`,
    });
  }
}

function asFile(text: string, name: string): StreamableFile {
  return new StreamableFile(Buffer.from(text), {
    type: 'application/yaml',
    disposition: `attachment; filename="${name}"`,
  });
}
