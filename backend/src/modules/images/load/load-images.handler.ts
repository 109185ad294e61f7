import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  ProvisionerSelector,
  readImageArchive,
  type ArchivedImage,
} from '../../../drivers/provisioner/index.js';
import {
  retryWhileUnavailable,
  RuntimeRegistry,
  type NodeContainer,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import {
  JobHandler,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
  type StepState,
} from '../../jobs/index.js';
import { imageWarnings } from '../common/image-warnings.js';
import { hasImage, imagesOfNode, LIST_DEADLINE_MS, type NodeImage } from '../common/node-images.js';
import { ArchiveStore } from './archive-store.js';
import { loadArchive } from './load-archive.js';

/** An image of the engine, as it was when the job was submitted. */
export interface RequestedImage {
  reference: string;
  id: string;
  sizeBytes: number;
}

export interface LoadImagesInput extends ClusterKey {
  nodes: string[];
  /** Images of the engine; empty for an archive. */
  images: RequestedImage[];
  /** An uploaded archive. */
  archive: { file: string; sizeBytes: number; images: ArchivedImage[] } | null;
}

/** Measured. */
const SAVE_BYTES_PER_SECOND = 200e6;
const LOAD_BYTES_PER_SECOND = 80e6;

/** States of a step that loaded an image into all nodes or into none. */
const ENDED = new Set<StepState>(['pending', 'succeeded', 'skipped']);

@Injectable()
export class LoadImagesHandler extends JobHandler<LoadImagesInput> {
  override readonly kind = 'load-images';

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly archives: ArchiveStore,
  ) {
    super();
  }

  override plan(input: LoadImagesInput): JobStage[] {
    const runtime = this.runtimes.get(input.runtime);
    /** Nodes without an image, by its reference. Set by the first stage. */
    const lacking = new Map<string, string[]>();
    return [
      {
        steps: [{ name: 'checks', title: 'Checking nodes', weight: 0.5 * input.nodes.length }],
        run: (context) => this.check(input, runtime, lacking, context),
      },
      ...(input.archive
        ? [this.archiveStage(input, input.archive, runtime)]
        : input.images.map((image, index) => this.imageStage(input, image, index, runtime, lacking))),
    ];
  }

  override title(input: LoadImagesInput): string {
    return `Load ${imagesText(input)} into ${input.name}`;
  }

  override texts({ name, nodes }: LoadImagesInput, { job }: JobConclusion): OutcomeTexts {
    const { loaded = [], present = [] } = (job.result ?? {}) as {
      loaded?: string[];
      present?: string[];
    };
    const before = loaded.length > 0 ? `Already loaded: ${loaded.join(', ')}.` : 'Nothing was loaded.';
    const loading = job.steps.find(({ name, state }) => name.startsWith('loading') && !ENDED.has(state));
    const partly = loading ? `Some nodes may have ${loading.title.replace('Loading ', '')}.` : before;
    const left = [loaded.length > 0 && loading ? before : '', partly, 'Load the missing images again.'];
    const target = `${nodesText(nodes)} of ${name}`;
    return {
      succeeded:
        loaded.length === 0 && present.length > 0
          ? `Nothing to do: ${present.join(', ')} ${present.length === 1 ? 'is' : 'are'} already on ${target}.`
          : `Loaded ${loaded.join(', ')} into ${target}.`,
      unfinished: left.filter(Boolean).join(' '),
      failed: left.filter(Boolean).join(' '),
    };
  }

  override async conclude(input: LoadImagesInput): Promise<void> {
    if (input.archive) await this.archives.remove(input.archive.file);
  }

  /** Loaded images stay; the rest must be loaded again. */
  override async recover(input: LoadImagesInput): Promise<boolean> {
    await this.conclude(input);
    return false;
  }

  private async check(
    input: LoadImagesInput,
    runtime: RuntimeDriver,
    lacking: Map<string, string[]>,
    context: JobContext,
  ): Promise<void> {
    const nodes = await this.runningNodes(input, input.nodes, runtime, context);
    const held = new Map<string, NodeImage[]>();
    for (const [index, node] of nodes.entries()) {
      held.set(node.name, await imagesOfNode(runtime, node, LIST_DEADLINE_MS));
      context.progress((index + 1) / nodes.length, `${index + 1} of ${nodes.length} nodes`);
    }
    const archived = input.archive?.images.flatMap(({ references }) => references) ?? [];
    for (const reference of [...archived, ...input.images.map((image) => image.reference)]) {
      for (const warning of imageWarnings(reference)) context.warn(warning);
    }
    await this.warnOfArchitecture(input, runtime, nodes, context);
    for (const { reference, id } of input.images) {
      const without = nodes.filter(({ name }) => !hasImage(held.get(name) ?? [], reference, id));
      lacking.set(
        reference,
        without.map(({ name }) => name),
      );
      if (without.length > 0) continue;
      context.log(`${reference} is already on ${nodesText(input.nodes)}`);
      addToResult(context, 'present', reference);
    }
  }

  /** Only a warning, because an emulator may run programs of another architecture. */
  private async warnOfArchitecture(
    { images }: LoadImagesInput,
    runtime: RuntimeDriver,
    nodes: readonly NodeContainer[],
    context: JobContext,
  ): Promise<void> {
    if (images.length === 0) return;
    const all = await retryWhileUnavailable(() => runtime.allImages(), context.signal);
    const own = all.find(({ id }) => nodes.some((node) => node.imageId === id))?.architecture ?? null;
    for (const { id, reference } of images) {
      const other = all.find((image) => image.id === id)?.architecture ?? null;
      if (own === null || other === null || own === other) continue;
      context.warn(
        `${reference} is built for ${other}, but the nodes are ${own}. Its containers may not start.`,
      );
    }
  }

  private imageStage(
    input: LoadImagesInput,
    { reference, sizeBytes }: RequestedImage,
    index: number,
    runtime: RuntimeDriver,
    lacking: ReadonlyMap<string, string[]>,
  ): JobStage {
    const saving = `saving-${index + 1}`;
    const loading = `loading-${index + 1}`;
    return {
      steps: [
        { name: saving, title: `Saving ${reference}`, weight: 0.3 + sizeBytes / SAVE_BYTES_PER_SECOND },
        { name: loading, title: `Loading ${reference}`, weight: loadSeconds(sizeBytes, input.nodes.length) },
      ],
      run: async (context) => {
        const nodes = lacking.get(reference) ?? input.nodes;
        if (nodes.length === 0) {
          context.progress(1, 'already on all nodes');
          return;
        }
        const archive = this.archives.newName();
        try {
          await this.archives.reserve(archive, sizeBytes);
          const content = await retryWhileUnavailable(
            () => runtime.saveImage(reference, context.signal),
            context.signal,
          );
          const written = await this.archives.write(archive, content, {
            signal: context.signal,
            onBytes: (bytes) =>
              context.progress(
                Math.min(bytes / Math.max(sizeBytes, 1), 1),
                `${megabytes(bytes)} of about ${megabytes(sizeBytes)} MB`,
              ),
          });
          context.log(`Saved ${reference} (${megabytes(written)} MB)`);
          const images = await readImageArchive(this.archives.file(archive));
          context.step(loading);
          await this.load(input, nodes, archive, images, runtime, context);
          addToResult(context, 'loaded', reference);
        } finally {
          await this.archives.remove(archive);
        }
      },
    };
  }

  private archiveStage(
    input: LoadImagesInput,
    { file, sizeBytes, images }: NonNullable<LoadImagesInput['archive']>,
    runtime: RuntimeDriver,
  ): JobStage {
    const weight = loadSeconds(sizeBytes, input.nodes.length);
    return {
      steps: [{ name: 'loading', title: `Loading ${imagesText(input)}`, weight }],
      run: async (context) => {
        await this.load(input, input.nodes, file, images, runtime, context);
        for (const { references, id } of images) {
          addToResult(context, 'loaded', references[0] ?? id ?? 'an unnamed image');
        }
      },
    };
  }

  private async load(
    input: LoadImagesInput,
    nodes: readonly string[],
    archive: string,
    images: readonly ArchivedImage[],
    runtime: RuntimeDriver,
    context: JobContext,
  ): Promise<void> {
    const target = {
      cluster: input.name,
      nodes: await this.runningNodes(input, nodes, runtime, context),
      runtime,
      provisioner: this.provisioners.for(runtime),
    };
    await loadArchive(target, this.archives.file(archive), images, context);
  }

  private async runningNodes(
    { name }: LoadImagesInput,
    nodes: readonly string[],
    runtime: RuntimeDriver,
    context: JobContext,
  ): Promise<NodeContainer[]> {
    const all = await retryWhileUnavailable(() => runtime.listNodes(), context.signal);
    return nodes.map((wanted) => {
      const found = all.find((node) => node.cluster === name && node.name === wanted);
      if (found?.state === 'running') return found;
      throw new DomainError(
        'node_unavailable',
        `Node ${wanted} ${found ? `is ${found.state}` : 'no longer exists'}. Start cluster ${name} and load the images again.`,
      );
    });
  }
}

function addToResult(context: JobContext, list: 'loaded' | 'present', reference: string): void {
  const before = (context.job.result?.[list] ?? []) as string[];
  context.result({ [list]: [...before, reference] });
}

function imagesText({ images, archive }: LoadImagesInput): string {
  const names = archive
    ? archive.images.flatMap(({ references, id }) => references[0] ?? id ?? [])
    : images.map(({ reference }) => reference);
  if (names.length === 0) return 'an archive';
  return names.length > 3 ? `${names.length} images` : names.join(', ');
}

function nodesText(nodes: readonly string[]): string {
  return nodes.length === 1 ? (nodes[0] ?? '') : `${nodes.length} nodes`;
}

function loadSeconds(sizeBytes: number, nodes: number): number {
  return nodes * (0.5 + sizeBytes / LOAD_BYTES_PER_SECOND);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
