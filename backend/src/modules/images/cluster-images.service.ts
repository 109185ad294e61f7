import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { receiveUpload } from '../../core/api/index.js';
import { DomainError, invalidInput } from '../../core/errors/index.js';
import { readImageArchive } from '../../drivers/provisioner/index.js';
import { fullReference, type NodeContainer, type RuntimeDriver } from '../../drivers/runtime/index.js';
import { JobsService, type Job } from '../jobs/index.js';
import { ArchiveStore } from './load/archive-store.js';
import { ClusterNodesService, type ClusterNodes } from './cluster-nodes.js';
import type { ClusterImagesDto, ImageNodeDto, LoadImagesDto, NodeImageDto } from './common/image.dto.js';
import type { LoadImagesInput, RequestedImage } from './load/load-images.handler.js';
import { imagesOfNode, isOfKubernetes, type NodeImage } from './common/node-images.js';

@Injectable()
export class ClusterImagesService {
  constructor(
    private readonly clusterNodes: ClusterNodesService,
    private readonly archives: ArchiveStore,
    private readonly jobs: JobsService,
  ) {}

  /** The images of all nodes. An unavailable node has a reason instead. */
  async read(name: string, runtimeId?: string): Promise<ClusterImagesDto> {
    const { runtime, nodes } = await this.clusterNodes.find(name, runtimeId);
    const asked = await Promise.all(nodes.map((node) => this.readNode(runtime, node)));
    const images = new Map<string, NodeImageDto>();
    for (const { name: node, held } of asked) {
      for (const image of held) {
        const known = images.get(image.id);
        images.set(image.id, {
          id: image.id,
          references: [...new Set([...(known?.references ?? []), ...image.references])],
          size_bytes: image.sizeBytes,
          part_of_kubernetes: isOfKubernetes(image),
          nodes: [...(known?.nodes ?? []), node],
        });
      }
    }
    return {
      nodes: asked.map(({ name: node, reason }) => ({ name: node, reason })),
      images: [...images.values()].sort((one, other) =>
        (one.references[0] ?? '~').localeCompare(other.references[0] ?? '~'),
      ),
    };
  }

  /** The names of the images of the cluster's engine. @throws DomainError `runtime_unavailable` */
  async ofEngine(name: string, runtimeId?: string): Promise<string[]> {
    const { runtime } = await this.clusterNodes.find(name, runtimeId);
    return (await runtime.allImages()).flatMap(({ references }) => references);
  }

  /** Starts a job that loads images of the cluster's engine. @throws DomainError */
  async load(name: string, runtimeId: string | undefined, request: LoadImagesDto): Promise<Job> {
    const found = await this.clusterNodes.find(name, runtimeId);
    const nodes = this.clusterNodes.choose(found, request.nodes);
    const images = await this.requested(found.runtime, request.images);
    return this.submit(found, nodes, { images, archive: null });
  }

  /**
   * Stores an archive and starts a job that loads it.
   * @param length the Content-Length, if any.
   * @throws DomainError `archive_refused`, `storage_unavailable`, or as `load`.
   */
  async upload(
    name: string,
    runtimeId: string | undefined,
    content: Readable,
    length: number | undefined,
  ): Promise<Job> {
    const found = await this.clusterNodes.find(name, runtimeId);
    const nodes = this.clusterNodes.choose(found, undefined);
    // Rejects the request before gigabytes are sent.
    this.jobs.assertIdle(found.cluster.name, found.cluster.runtime);
    const file = this.archives.newName();
    await this.archives.reserve(file, length ?? 0);
    try {
      const sizeBytes = await this.receive(file, content, length);
      const images = await readImageArchive(this.archives.file(file));
      return this.submit(found, nodes, { images: [], archive: { file, sizeBytes, images } });
    } catch (error) {
      await this.archives.remove(file);
      throw error;
    }
  }

  private async receive(file: string, content: Readable, length: number | undefined): Promise<number> {
    const received = await receiveUpload('an image archive', 'archive_refused', () =>
      this.archives.write(file, content),
    );
    if (length !== undefined && received !== length) {
      throw new DomainError(
        'archive_refused',
        `The upload was interrupted after ${received} of ${length} bytes. Try again.`,
      );
    }
    return received;
  }

  private submit(
    { cluster }: ClusterNodes,
    nodes: readonly NodeContainer[],
    what: Pick<LoadImagesInput, 'images' | 'archive'>,
  ): Job {
    const input: LoadImagesInput = {
      name: cluster.name,
      runtime: cluster.runtime,
      nodes: nodes.map((node) => node.name),
      ...what,
    };
    return this.jobs.submit('load-images', cluster, input);
  }

  private async readNode(
    runtime: RuntimeDriver,
    node: NodeContainer,
  ): Promise<ImageNodeDto & { held: NodeImage[] }> {
    const { name } = node;
    if (node.state !== 'running') {
      return {
        name,
        reason: node.state === 'paused' ? 'the node is paused' : 'the node is not running',
        held: [],
      };
    }
    try {
      return { name, reason: null, held: await imagesOfNode(runtime, node) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { name, reason: error.message.replace(/\.$/, ''), held: [] };
    }
  }

  private async requested(runtime: RuntimeDriver, references: readonly string[]): Promise<RequestedImage[]> {
    const all = await runtime.allImages();
    const byName = new Map(
      all.flatMap((image) =>
        image.references.map((own) => [
          fullReference(own),
          { reference: own, id: image.id, sizeBytes: image.sizeBytes },
        ]),
      ),
    );
    const problems = references.flatMap((reference, index) =>
      byName.has(fullReference(reference))
        ? []
        : [
            {
              field: `images[${index}]`,
              problem: `${reference} does not exist in ${runtime.id}. Build or pull it first`,
            },
          ],
    );
    if (problems.length > 0) throw invalidInput(problems);
    const wanted = new Map<string, RequestedImage>();
    for (const reference of references) {
      const image = byName.get(fullReference(reference));
      if (image) wanted.set(image.reference, image);
    }
    return [...wanted.values()];
  }
}
