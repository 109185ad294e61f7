import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import type { ClusterShape } from '../../../drivers/provisioner/index.js';
import { RuntimeRegistry, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import { VersionsService } from '../../versions/index.js';
import type { CreateClusterDto, MountDto } from './create-cluster.dto.js';
import {
  type ConfigPlace,
  type ConfigProblem,
  findHostAccess,
  type HostAccess,
  hostPathProblem,
  imagesOf,
  type KindConfig,
  kindConfigYaml,
  nodeImageTagOf,
  nodesOf,
  renderKindConfig,
  shapeOf,
} from '../../kind-config/index.js';

/** Everything that follows from a config. */
export interface ConfigDraft {
  /** The text that is saved and passed to kind. */
  configText: string;
  config: KindConfig;
  shape: ClusterShape;
  /** Tag of the control plane's image; null for a foreign image. */
  nodeImageTag: string | null;
  /** Parts of the host that the config can access. Empty for the fields of the form, which need no confirmation. */
  hostAccess: HostAccess[];
  /** About a given config. */
  warnings: string[];
  /** In a given config, by path. */
  places: Readonly<Record<string, ConfigPlace>>;
}

export interface ClusterDraft extends ConfigDraft {
  name: string;
  runtime: RuntimeDriver;
}

@Injectable()
export class ClusterDrafts {
  constructor(
    private readonly configuration: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly versions: VersionsService,
    private readonly dataDirectory: DataDirectory,
  ) {}

  /** @throws DomainError `invalid_input` or `config_refused` with every problem, or `runtime_unavailable`. */
  async prepare(request: CreateClusterDto): Promise<ClusterDraft> {
    const runtime = this.chooseRuntime(request.runtime);
    const { config: given } = request;
    const identity = { name: request.name, runtime };
    if (given === undefined) {
      this.checkMounts(request.mounts ?? []);
      const { text, config } = this.fromFields(request);
      return { ...identity, ...this.describe(text, config), hostAccess: [] };
    }
    const tag = request.node_image_tag ?? (await this.versions.defaultTagFor(runtime));
    return { ...identity, ...(await this.readConfig(request.name, given, tag)) };
  }

  /**
   * Checks a given config, and completes what kind would choose itself.
   * @param tag for nodes without an image.
   * @throws DomainError `config_refused` with every problem.
   */
  async readConfig(name: string, given: string, tag: string | null): Promise<ConfigDraft> {
    const { parsed, problems } = await kindConfigYaml.parseKindConfig(given, name, this.dataDirectory.root);
    if (!parsed) throw configRefused(problems);
    if (tag === null && nodesOf(parsed.config).some(({ image }) => image === undefined)) {
      throw configRefused([
        {
          path: 'nodes',
          line: 1,
          column: 1,
          problem: 'must have an image, because no default is known; set node_image_tag',
        },
      ]);
    }
    const image = `${this.repository}:${tag ?? ''}`;
    const { text, config } = await kindConfigYaml.completeKindConfig(parsed, name, image);
    return { ...this.describe(text, config), warnings: parsed.warnings, places: parsed.places };
  }

  private describe(configText: string, config: KindConfig): ConfigDraft {
    return {
      configText,
      config,
      shape: shapeOf(config),
      nodeImageTag: nodeImageTagOf(imagesOf(config)[0]),
      hostAccess: this.hostAccessOf(config),
      warnings: [],
      places: {},
    };
  }

  hostAccessOf(config: KindConfig): HostAccess[] {
    return findHostAccess(config, this.repository);
  }

  private get repository(): string {
    return this.configuration.values.nodeImageRepository;
  }

  private checkMounts(mounts: readonly MountDto[]): void {
    const problems = mounts.flatMap(({ host_path: path }, index) => {
      const problem = hostPathProblem(path, this.dataDirectory.root);
      return problem === undefined ? [] : [{ field: `mounts[${index}].host_path`, problem }];
    });
    if (problems.length > 0) throw invalidInput(problems);
  }

  private chooseRuntime(id: string | undefined): RuntimeDriver {
    if (id !== undefined) return this.runtimes.get(id);
    const active = this.runtimes.active();
    if (active) return active;
    const reasons = this.runtimes
      .statuses()
      .map(({ reason }) => reason)
      .filter((reason) => reason !== null);
    throw new DomainError(
      'runtime_unavailable',
      ['No container engine is available.', ...reasons, 'The diagnostics page lists fixes.'].join(' '),
    );
  }

  private fromFields(request: CreateClusterDto): { text: string; config: KindConfig } {
    return renderKindConfig({
      name: request.name,
      controlPlanes: request.control_planes ?? 1,
      workers: request.workers ?? 0,
      image: `${this.repository}:${request.node_image_tag ?? ''}`,
      portMappings: (request.port_mappings ?? []).map(
        ({ container_port, host_port, listen_address, protocol }) => ({
          containerPort: container_port,
          hostPort: host_port,
          listenAddress: listen_address,
          protocol,
        }),
      ),
      mounts: (request.mounts ?? []).map(({ host_path, container_path, read_only }) => ({
        hostPath: host_path,
        containerPath: container_path,
        readOnly: read_only,
      })),
    });
  }
}

export function configRefused(problems: ConfigProblem[]): DomainError {
  const first = problems[0];
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  const where = first ? ` Line ${first.line}: ${first.path || 'the document'} ${first.problem}.` : '';
  return new DomainError('config_refused', `Invalid config.${where}${more}`, problems);
}
