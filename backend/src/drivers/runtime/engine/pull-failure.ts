import { networkReason } from '../../../core/errors/index.js';
import { fullReference } from '../image-reference.js';

/** Why an engine could not pull an image and what to do. Unknown messages stay as they are. */
export function explainPull(reference: string, message: string, engine: string): string {
  return `${engine} could not pull ${reference}: ${reasonOfPull(reference, message, engine)}`;
}

/** The act of a registry, by the message of an engine or a node, without a period. */
export interface PullRefusal {
  code: 'limited' | 'unreachable' | 'missing' | 'forbidden';
  text: string;
}

/** Undefined for a message about something else. */
export function pullRefusal(reference: string, message: string): PullRefusal | undefined {
  const [host = ''] = fullReference(reference).split('/');
  // A name or a tag may contain each of these words.
  const said = message.replaceAll(reference, '');
  if (/toomanyrequests|too many requests|rate limit|\b429\b/i.test(said)) {
    return { code: 'limited', text: `${host} limits the pulls from this address for now` };
  }
  const network = networkReason(said);
  if (network !== undefined) return { code: 'unreachable', text: `${host} cannot be reached (${network})` };
  if (/no match for platform|no matching manifest|for architecture /i.test(said)) {
    return { code: 'missing', text: `${host} has it only for other platforms` };
  }
  if (/manifest unknown|\bnot found\b|name unknown|\b404\b/i.test(said)) {
    return { code: 'missing', text: `${host} has no such image` };
  }
  if (/unauthorized|denied|authentication required|\b40[13]\b/i.test(said)) {
    return { code: 'forbidden', text: `${host} does not allow it` };
  }
  return undefined;
}

function reasonOfPull(reference: string, message: string, engine: string): string {
  if (/no space left/i.test(message)) {
    return `The disk of ${engine} is full. Remove images that you do not need.`;
  }
  const refusal = pullRefusal(reference, message);
  if (!refusal) return `${message}.`;
  const signIn = `sign in with ${engine} login ${fullReference(reference).split('/')[0]}`;
  const nextSteps = {
    limited: ` Try again later, or ${signIn}.`,
    unreachable: '',
    missing: ' Check its name and tag.',
    forbidden: ` Check the name of the image, or ${signIn}.`,
  };
  return `${refusal.text}.${nextSteps[refusal.code]}`;
}
