import { networkReason } from '../../../core/errors/index.js';
import { fullReference } from '../image-reference.js';

/** Why an engine could not pull an image and what to do. Unknown messages stay as they are. */
export function explainPull(reference: string, message: string, engine: string): string {
  return `${engine} could not pull ${reference}: ${reasonOfPull(reference, message, engine)}`;
}

function reasonOfPull(reference: string, message: string, engine: string): string {
  const [host = ''] = fullReference(reference).split('/');
  const signIn = `${engine} login ${host}`;
  if (/toomanyrequests|too many requests|rate limit|\b429\b/i.test(message)) {
    return `${host} limits the pulls from this address for now. Try again later, or sign in with ${signIn}.`;
  }
  const network = networkReason(message);
  if (network !== undefined) return `${host} cannot be reached (${network}).`;
  if (/no space left/i.test(message)) {
    return `The disk of ${engine} is full. Remove images that you do not need.`;
  }
  if (/manifest unknown|\bnot found\b|name unknown|\b404\b/i.test(message)) {
    return `${host} has no such image. Check its name and tag.`;
  }
  if (/unauthorized|denied|authentication required|\b40[13]\b/i.test(message)) {
    return `${host} does not allow it. Check the name of the image, or sign in with ${signIn}.`;
  }
  return `${message}.`;
}
