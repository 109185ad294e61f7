import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { asSentence, DomainError, reasonOf } from '../../core/errors/index.js';
import { CommandError } from '../../drivers/process/index.js';
import {
  ProvisionerSelector,
  readImageArchive,
  type ArchivedImage,
} from '../../drivers/provisioner/index.js';
import {
  RuntimeRegistry,
  type NodeContainer,
  type RuntimeDriver,
  retryWhileUnavailable,
} from '../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobPlan,
  type JobStage,
} from '../jobs/index.js';
import { ArchiveStore } from './archive-store.js';
import { warningsOf } from './engine-images.service.js';
import { holds, imagesOfNode, type NodeImage } from './node-images.js';

/** An image as the engine knew it when it was asked for. */
export interface WantedImage {
  reference: string;
  id: string;
  sizeBytes: number;
}

export interface LoadImagesInput {
  name: string;
  runtime: string;
  nodes: string[];
  /** Images of the engine; none where they come in an archive. */
  images: WantedImage[];
  /** An archive that was uploaded, with what it holds. */
  archive: { file: string; sizeBytes: number; images: ArchivedImage[] } | null;
}

/** Measured: an engine saves some 200 MB a second, and a node takes in some 80. */
const SAVE_BYTES_PER_SECOND = 200e6;
const LOAD_BYTES_PER_SECOND = 80e6;
/** Nodes that take an archive at the same time: they share one disk. */
const AT_ONCE = 3;
const LIST_DEADLINE_MS = 20_000;
/** Kubernetes' side of containerd hears of an import a moment after its end. */
const SETTLE_MS = 10_000;
const SETTLE_POLL_MS = 300;

/** Puts images into the nodes of a cluster, and looks afterwards whether they are there. */
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

  override plan(input: LoadImagesInput): JobPlan {
    const runtime = this.runtimes.get(input.runtime);
    /** Nodes that lack an image, by its reference; known once they were asked. */
    const lacking = new Map<string, string[]>();
    return {
      stages: [
        {
          steps: [{ name: 'checks', title: 'What the nodes hold already', weight: 0.5 * input.nodes.length }],
          run: (context) => this.check(input, runtime, lacking, context),
        },
        ...(input.archive
          ? [this.archiveStage(input, input.archive, runtime)]
          : input.images.map((image, index) => this.imageStage(input, image, index, runtime, lacking))),
      ],
    };
  }

  override announce(input: LoadImagesInput): string {
    return `Loading ${describeImages(input)} into ${describeNodes(input.nodes)} of ${input.name}.`;
  }

  override describe(input: LoadImagesInput, job: Readonly<Job>, conclusion: JobConclusion): string {
    const { loaded = [], present = [] } = (job.result ?? {}) as { loaded?: string[]; present?: string[] };
    const stays = loaded.length > 0 ? ` ${loaded.join(', ')} stays in the nodes.` : '';
    switch (conclusion.outcome) {
      case 'succeeded':
        return loaded.length === 0 && present.length > 0
          ? `Nothing to do: ${present.join(', ')} ${present.length === 1 ? 'is' : 'are'} on ${describeNodes(input.nodes)} already.`
          : `Loaded ${loaded.join(', ')} into ${describeNodes(input.nodes)}.`;
      case 'cancelled':
        return `Cancelled${conclusion.step === null ? ' before it began' : ` at ${conclusion.step}`}.${stays}`;
      case 'interrupted':
        return `Interrupted by a restart of Slipway. Load again what is missing.${stays}`;
      case 'failed':
        return `Not loaded: ${conclusion.reason ?? 'the reason is not known'}${stays}`;
    }
  }

  override async conclude(input: LoadImagesInput): Promise<void> {
    if (input.archive) await this.archives.remove(input.archive.file);
  }

  /** Images that are in a node do no harm; what was on its way to them is of no use. */
  override async recover(input: LoadImagesInput): Promise<boolean> {
    if (input.archive) await this.archives.remove(input.archive.file);
    return false;
  }

  private async check(
    input: LoadImagesInput,
    runtime: RuntimeDriver,
    lacking: Map<string, string[]>,
    context: JobContext,
  ): Promise<void> {
    const nodes = await this.nodesOf(input, runtime, context);
    const held = new Map<string, NodeImage[]>();
    for (const [index, node] of nodes.entries()) {
      held.set(node.name, await imagesOfNode(runtime, node, LIST_DEADLINE_MS));
      context.progress((index + 1) / nodes.length, `${index + 1} of ${nodes.length} nodes asked`);
    }
    const wanted = input.archive ? input.archive.images.flatMap(({ references }) => references) : [];
    for (const reference of [...wanted, ...input.images.map((image) => image.reference)]) {
      for (const warning of warningsOf(reference)) context.warn(warning);
    }
    await this.warnOfPlatform(input, runtime, nodes, context);
    for (const { reference, id } of input.images) {
      const without = nodes.filter(({ name }) => !holds(held.get(name) ?? [], reference, id));
      lacking.set(
        reference,
        without.map(({ name }) => name),
      );
      if (without.length > 0) continue;
      context.log(`${reference} is on ${describeNodes(input.nodes)} already`);
      remember(context, 'present', reference);
    }
  }

  /** A program of another processor may be started all the same, through an emulator; so it is only said. */
  private async warnOfPlatform(
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
      context.warn(`${reference} is made for ${other} and the nodes are ${own}: its programs may not start.`);
    }
  }

  /** One image of the engine: saved to a file, handed to each node that lacks it, looked for there. */
  private imageStage(
    input: LoadImagesInput,
    { reference, sizeBytes }: WantedImage,
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
          context.progress(1, 'it is on every node already');
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
          context.log(`${reference} is saved, ${megabytes(written)} MB`);
          const images = await readImageArchive(this.archives.file(archive));
          context.step(loading);
          await this.loadInto(input, nodes, archive, images, runtime, context);
          remember(context, 'loaded', reference);
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
    return {
      steps: [
        {
          name: 'loading',
          title: `Loading ${describeImages(input)}`,
          weight: loadSeconds(sizeBytes, input.nodes.length),
        },
      ],
      run: async (context) => {
        await this.loadInto(input, input.nodes, file, images, runtime, context);
        for (const { references, id } of images) {
          remember(context, 'loaded', references[0] ?? id ?? 'an image without a name');
        }
      },
    };
  }

  /** Into every node, also after one failed: the others are of use, and all failures are told at once. */
  private async loadInto(
    input: LoadImagesInput,
    nodes: readonly string[],
    archive: string,
    images: readonly ArchivedImage[],
    runtime: RuntimeDriver,
    context: JobContext,
  ): Promise<void> {
    const failures: { node: string; reason: string }[] = [];
    const provisioner = this.provisioners.for(runtime);
    const containers = await this.nodesOf(input, runtime, context);
    const waiting = [...nodes];
    let done = 0;
    const work = async (): Promise<void> => {
      for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
        context.signal.throwIfAborted();
        try {
          const container = containers.find(({ name }) => name === node);
          if (!container) throw new Error('it is gone');
          await provisioner.loadArchive({
            name: input.name,
            node,
            archiveFile: this.archives.file(archive),
            runtime,
            tracking: context.tracking(),
          });
          await assertHolds(runtime, container, images, context.signal);
          context.log(`${node} has it`);
        } catch (error) {
          context.signal.throwIfAborted();
          if (error instanceof DomainError && error.code === 'provisioner_unavailable') throw error;
          failures.push({ node, reason: reasonFor(error) });
          context.log(`${node} did not take it: ${reasonFor(error)}`, 'error');
        }
        done += 1;
        context.progress(done / nodes.length, `${done} of ${nodes.length} nodes`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, nodes.length) }, work));
    if (failures.length === 0) return;
    throw new DomainError(
      'image_not_loaded',
      failures.map(({ node, reason }) => `${node} did not take it: ${reason}`).join(' '),
      failures,
    );
  }

  private async nodesOf(
    { name, nodes }: LoadImagesInput,
    runtime: RuntimeDriver,
    context: JobContext,
  ): Promise<NodeContainer[]> {
    const all = await retryWhileUnavailable(() => runtime.listNodes(), context.signal);
    return nodes.map((wanted) => {
      const found = all.find((node) => node.cluster === name && node.name === wanted);
      if (found?.state === 'running') return found;
      throw new DomainError(
        'node_unavailable',
        `${wanted} ${found ? `is ${found.state}` : 'is gone'}. Start ${name}, and load again.`,
      );
    });
  }
}

/** What an import calls success is looked at: the images must be there under their names. */
async function assertHolds(
  runtime: RuntimeDriver,
  node: NodeContainer,
  images: readonly ArchivedImage[],
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const missing = missingOf(await imagesOfNode(runtime, node, LIST_DEADLINE_MS), images);
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`after the import it does not list ${missing.join(', ')}`);
    }
    await delay(SETTLE_POLL_MS, undefined, { signal });
  }
}

function missingOf(held: readonly NodeImage[], images: readonly ArchivedImage[]): string[] {
  return images.flatMap(({ id, references }) => {
    if (references.length > 0) return references.filter((reference) => !holds(held, reference, id));
    return id === null || held.some((image) => image.id === id) ? [] : [id];
  });
}

function remember(context: JobContext, list: 'loaded' | 'present', reference: string): void {
  const before = (context.job.result?.[list] ?? []) as string[];
  context.result({ [list]: [...before, reference] });
}

function reasonFor(error: unknown): string {
  return asSentence(error instanceof CommandError ? lastLine(error) : reasonOf(error));
}

/** kind wraps what the import said in a command line of its own. */
function lastLine(error: CommandError): string {
  const lines = error.stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /^(ctr|ERROR): /.test(line))?.slice(0, 400) ?? error.message;
}

function describeImages({ images, archive }: LoadImagesInput): string {
  const names = archive
    ? archive.images.flatMap(({ references, id }) => references[0] ?? id ?? [])
    : images.map(({ reference }) => reference);
  if (names.length === 0) return 'an archive';
  return names.length > 3 ? `${names.length} images` : names.join(', ');
}

function describeNodes(nodes: readonly string[]): string {
  return nodes.length === 1 ? (nodes[0] ?? '') : `${nodes.length} nodes`;
}

function loadSeconds(sizeBytes: number, nodes: number): number {
  return nodes * (0.5 + sizeBytes / LOAD_BYTES_PER_SECOND);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
