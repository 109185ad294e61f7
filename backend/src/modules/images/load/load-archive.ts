import { setTimeout as delay } from 'node:timers/promises';
import { asSentence, DomainError, hasCode, reasonOf } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import { CommandError } from '../../../drivers/process/index.js';
import type { ArchivedImage, ClusterProvisioner } from '../../../drivers/provisioner/index.js';
import type { NodeContainer, RuntimeDriver } from '../../../drivers/runtime/index.js';
import type { JobContext } from '../../jobs/index.js';
import { hasImage, imagesOfNode, LIST_DEADLINE_MS, type NodeImage } from '../common/node-images.js';

/** Nodes that load an archive concurrently. They share one disk. */
const CONCURRENCY = 3;
/** The CRI lists an image shortly after its import. */
const SETTLE_MS = 10_000;
const SETTLE_POLL_MS = 300;

interface ArchiveTarget {
  cluster: string;
  nodes: readonly NodeContainer[];
  runtime: RuntimeDriver;
  provisioner: Pick<ClusterProvisioner, 'loadArchive'>;
}

/**
 * Loads an image archive into nodes and verifies that they list its images. A failing node does not stop the others.
 * @throws DomainError `image_not_loaded` with all failures, or `provisioner_unavailable`.
 */
export async function loadArchive(
  { cluster, nodes, runtime, provisioner }: ArchiveTarget,
  archiveFile: string,
  images: readonly ArchivedImage[],
  context: JobContext,
): Promise<void> {
  const failures: { node: string; reason: string }[] = [];
  let done = 0;
  await mapConcurrently(nodes, CONCURRENCY, async (node) => {
    context.signal.throwIfAborted();
    const { name } = node;
    try {
      const tracking = context.tracking();
      await provisioner.loadArchive({ name: cluster, node: name, archiveFile, runtime, tracking });
      await verifyImages(runtime, node, images, context.signal);
      context.log(`Loaded into ${name}`);
    } catch (error) {
      context.signal.throwIfAborted();
      if (hasCode(error, 'provisioner_unavailable')) throw error;
      const reason = reasonFor(error);
      failures.push({ node: name, reason });
      context.log(`Could not load into ${name}: ${reason}`, 'error');
    }
    done += 1;
    context.progress(done / nodes.length, `${done} of ${nodes.length} nodes`);
  });
  if (failures.length === 0) return;
  throw new DomainError(
    'image_not_loaded',
    failures.map(({ node, reason }) => `Could not load into ${node}: ${reason}`).join(' '),
    failures,
  );
}

/** An import may report success without a listed image. */
async function verifyImages(
  runtime: RuntimeDriver,
  node: NodeContainer,
  images: readonly ArchivedImage[],
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const missing = missingImages(await imagesOfNode(runtime, node, LIST_DEADLINE_MS), images);
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`the node does not list ${missing.join(', ')} after the import`);
    }
    await delay(SETTLE_POLL_MS, undefined, { signal });
  }
}

function missingImages(held: readonly NodeImage[], images: readonly ArchivedImage[]): string[] {
  return images.flatMap(({ id, references }) => {
    if (references.length > 0) return references.filter((reference) => !hasImage(held, reference, id));
    return id === null || held.some((image) => image.id === id) ? [] : [id];
  });
}

function reasonFor(error: unknown): string {
  return asSentence((error instanceof CommandError && error.reason) || reasonOf(error));
}
