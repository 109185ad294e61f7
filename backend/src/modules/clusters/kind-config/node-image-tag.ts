import { NODE_IMAGE_TAG } from '../../../core/security/index.js';

/** The tag of a node's image, with its digest; null for one that is not Kubernetes' version, or where Podman dropped it. */
export function nodeImageTagOf(image: string): string | null {
  const name = image.slice(image.lastIndexOf('/') + 1);
  const tag = name.includes(':') ? name.slice(name.indexOf(':') + 1) : '';
  return NODE_IMAGE_TAG.test(tag) ? tag : null;
}
