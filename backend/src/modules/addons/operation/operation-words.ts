import { asSentence } from '../../../core/errors/index.js';
import type { JobConclusion } from '../../jobs/index.js';

/** `at "Installing Traefik"`. */
export function placeOf({ step }: JobConclusion): string {
  return step === null ? 'before it began' : `at "${step}"`;
}

export function sentence(reason: string | null): string {
  return asSentence((reason ?? 'the reason is not known').trim());
}
