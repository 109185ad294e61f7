import type { PullProgress } from '../runtime-driver.js';
import type { PullMessage } from './engine-responses.js';

interface Layer {
  pulled: number;
  total: number;
  done: boolean;
}

/** Adds up the layers of a pull. The number of bytes never decreases, whatever the order of messages. */
export class PullTracker {
  private readonly layers = new Map<string, Layer>();

  /** @returns the sum, or undefined if the message has no bytes. */
  update(message: PullMessage): PullProgress | undefined {
    const { id, status = '', progressDetail } = message;
    if (!id || !isLayer(id)) return undefined;
    const layer = this.layers.get(id) ?? { pulled: 0, total: 0, done: false };
    this.layers.set(id, layer);
    // Extraction would count the same bytes again.
    if (status === 'Extracting') return undefined;
    if (/^(Pull complete|Download complete|Already exists|Verifying Checksum)/.test(status)) {
      layer.done = true;
    }
    layer.total = Math.max(layer.total, progressDetail?.total ?? 0);
    layer.pulled = Math.max(layer.pulled, Math.min(progressDetail?.current ?? 0, layer.total || Infinity));
    if (layer.done) layer.pulled = Math.max(layer.pulled, layer.total);
    return this.sum();
  }

  private sum(): PullProgress {
    const progress: PullProgress = { pulledBytes: 0, totalBytes: 0, layers: 0, layersDone: 0 };
    for (const layer of this.layers.values()) {
      progress.pulledBytes += layer.pulled;
      progress.totalBytes += Math.max(layer.total, layer.pulled);
      progress.layers += 1;
      if (layer.done) progress.layersDone += 1;
    }
    return progress;
  }
}

/** The id of a layer is the start of its digest. Other ids are the tag, or Podman's final image id. */
function isLayer(id: string): boolean {
  return /^[0-9a-f]{12}$/.test(id);
}
