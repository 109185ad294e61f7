import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { DomainError } from '../../../core/errors/index.js';
import {
  fullReference,
  fullRepository,
  RuntimeRegistry,
  type EngineImage,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import type { EngineImageDto } from './image.dto.js';
import { ImageUsers } from './image-users.js';
import { imageWarnings } from './image-warnings.js';

/** kind's own repository. Its images are node images even if a mirror is configured. */
const KIND_REPOSITORY = 'docker.io/kindest/node';

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
        warnings: image.references.flatMap((reference) => imageWarnings(reference)),
      }))
      .sort((one, other) => (other.created_at ?? '').localeCompare(one.created_at ?? ''));
  }

  /** Whether an image is a node image, by its repository. */
  isNodeImage({ references, digests }: Pick<EngineImage, 'references' | 'digests'>): boolean {
    const repositories = new Set([
      KIND_REPOSITORY,
      fullRepository(this.configuration.values.nodeImageRepository),
    ]);
    return [...references, ...digests].some((name) => {
      const whole = fullReference(name);
      return repositories.has(whole.replace(/(?:@.*|:[^:/@]*)$/s, ''));
    });
  }

  private runtime(id: string | undefined): RuntimeDriver {
    const runtime = id === undefined ? this.runtimes.active() : this.runtimes.get(id);
    if (runtime) return runtime;
    throw new DomainError(
      'runtime_unavailable',
      'Could not list images. No container engine is available. See Diagnostics for how to fix this.',
    );
  }
}
