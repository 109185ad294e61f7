import { fullReference } from '../../../drivers/runtime/index.js';
import type { ClusterImagesDto } from '../../images/index.js';

export interface ImageCheck {
  /** Images that no node has. */
  missing: string[];
  /** Sentences that say what is missing and what to do. */
  warnings: string[];
}

/** Compares images that Pods are to use with those of the nodes. */
export function checkImages(
  images: readonly string[],
  { nodes, images: present }: ClusterImagesDto,
): ImageCheck {
  const readable = nodes.filter(({ reason }) => reason === null).map(({ name }) => name);
  const check: ImageCheck = { missing: [], warnings: [] };
  for (const image of new Set(images)) {
    if (image.includes('@')) {
      // Nodes list the images that were loaded by their tags only.
      check.warnings.push(
        `Slipway cannot check whether the nodes have ${image}, because it is given by its digest.`,
      );
      continue;
    }
    const having = new Set(
      present
        .filter(({ references }) => references.includes(fullReference(image)))
        .flatMap((one) => one.nodes),
    );
    const lacking = readable.filter((node) => !having.has(node));
    if (readable.length > 0 && having.size === 0) {
      check.missing.push(image);
      check.warnings.push(
        `No node has ${image}. Load the image first, or continue if the nodes can pull it from a registry.`,
      );
    } else if (lacking.length > 0) {
      check.warnings.push(
        `${lacking.join(', ')} ${lacking.length === 1 ? 'does' : 'do'} not have ${image}. Pods there start only if the node can pull it from a registry.`,
      );
    }
  }
  const unread = nodes.filter(({ reason }) => reason !== null);
  if (unread.length > 0) {
    const reasons = unread.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    check.warnings.push(`Could not check the images of ${reasons}.`);
  }
  return check;
}
