import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import {
  fullReference,
  fullRepository,
  RuntimeRegistry,
  type EngineImage,
  type RuntimeDriver,
} from '../../drivers/runtime/index.js';
import type { EngineImageDto } from './image.dto.js';
import { ImageUsers } from './image-users.js';

/** kind's own repository: images of it are for nodes, whatever mirror new clusters take theirs from. */
const KIND_REPOSITORY = 'docker.io/kindest/node';

/** The images of the engines, and what one should know of them. */
@Injectable()
export class EngineImagesService {
  constructor(
    private readonly configuration: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly users: ImageUsers,
  ) {}

  /** Newest first. @throws DomainError `runtime_unavailable` */
  async list(runtimeId?: string): Promise<EngineImageDto[]> {
    const runtime = this.runtime(runtimeId);
    const [images, users] = await Promise.all([runtime.allImages(), this.users.read()]);
    return images
      .map((image) => ({
        id: image.id,
        references: image.references,
        digests: image.digests,
        size_bytes: image.sizeBytes,
        created_at: image.createdAt,
        architecture: image.architecture,
        is_node_image: this.isNodeImage(image),
        used_by: users.of(image),
        warnings: image.references.flatMap((reference) => warningsOf(reference)),
      }))
      .sort((one, other) => (other.created_at ?? '').localeCompare(one.created_at ?? ''));
  }

  /** Whether nodes are made from it, by its name. */
  isNodeImage({ references, digests }: Pick<EngineImage, 'references' | 'digests'>): boolean {
    const repositories = new Set([
      KIND_REPOSITORY,
      fullRepository(this.configuration.values.nodeImageRepository),
    ]);
    return [...references, ...digests].some((name) => {
      const whole = fullReference(name);
      return repositories.has(whole.replace(/(@.*|:[^:/]*)$/, ''));
    });
  }

  private runtime(id: string | undefined): RuntimeDriver {
    const runtime = id === undefined ? this.runtimes.active() : this.runtimes.get(id);
    if (runtime) return runtime;
    throw new DomainError(
      'runtime_unavailable',
      'No container engine can be used, so there are no images. The diagnostics page says how to fix it.',
    );
  }
}

/** What a pod's author should know before an image is loaded under this name. */
export function warningsOf(reference: string): string[] {
  const warnings: string[] = [];
  if (fullReference(reference).endsWith(':latest')) {
    warnings.push(
      `${reference}: with the tag latest Kubernetes pulls anew at each start and passes over what was loaded, unless the pod says imagePullPolicy: IfNotPresent or Never.`,
    );
  }
  if (reference.startsWith('localhost/')) {
    warnings.push(
      `${reference}: Podman named it so because it was built here. The pod’s image must be written the same, with localhost/.`,
    );
  }
  return warnings;
}
