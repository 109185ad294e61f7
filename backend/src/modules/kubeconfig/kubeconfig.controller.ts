import { applyDecorators, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import {
  GuardedController,
  KindClustersOnly,
  NeedsRecentPassword,
  RouteScope,
} from '../../core/security/index.js';
import { JournalService } from '../journal/index.js';
import { type Cluster, ClustersService } from '../clusters/index.js';
import { ContainerKubeconfigQueryDto } from './kubeconfig.dto.js';
import { KubeconfigService } from './kubeconfig.service.js';

function ReturnsKubeconfig(): MethodDecorator {
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
      'cluster_state',
      'kubeconfig_not_found',
      'cluster_unreachable',
      'reauthentication_required',
      'runtime_unavailable',
    ),
  );
}

@ApiClusterName()
@KindClustersOnly()
@GuardedController('clusters', 'clusters')
export class KubeconfigController {
  constructor(
    private readonly kubeconfigs: KubeconfigService,
    private readonly clusters: ClustersService,
    private readonly journal: JournalService,
  ) {}

  @Get(':name/kubeconfig')
  @NeedsRecentPassword()
  @RouteScope('full')
  @ApiOperation({
    summary: 'Get the kubeconfig for the host',
    description: 'Contains the credentials of the cluster administrator.',
  })
  @ReturnsKubeconfig()
  async forHost(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<StreamableFile> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    const { text } = await this.kubeconfigs.of(cluster);
    this.record(cluster, 'for the host');
    return asFile(text, `${name}.kubeconfig.yaml`);
  }

  @Get(':name/kubeconfig/docker')
  @NeedsRecentPassword()
  @RouteScope('full')
  @ApiOperation({
    summary: 'Get the kubeconfig for containers',
    description:
      'Has the same credentials and certificate authority, and verifies TLS in both variants. `host` uses the host alias of the engine, with `tls-server-name` because kind’s certificate does not contain the alias. `network` uses the control plane, or the load balancer of several, in the network `kind`.',
  })
  @ReturnsKubeconfig()
  async forContainers(
    @Param('name') name: string,
    @Query() { runtime, variant }: ContainerKubeconfigQueryDto,
  ): Promise<StreamableFile> {
    const cluster = await this.clusters.get(clusterName(name), runtime);
    const text = await this.kubeconfigs.forContainers(cluster, variant);
    this.record(cluster, `for containers (${variant})`);
    return asFile(text, `${name}.${variant}.kubeconfig.yaml`);
  }

  /** Called before the response, so that every download is recorded. */
  private record({ name, runtime }: Cluster, what: string): void {
    this.journal.record({
      kind: 'kubeconfig-download',
      cluster: name,
      runtime,
      message: `Downloaded the administrator kubeconfig of ${name} ${what}.`,
    });
  }
}

function asFile(text: string, name: string): StreamableFile {
  return new StreamableFile(Buffer.from(text), {
    type: 'application/yaml',
    disposition: `attachment; filename="${name}"`,
  });
}
