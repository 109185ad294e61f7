import { createHash } from 'node:crypto';
import { parse } from 'yaml';

/** Texts that were looked at; a cluster has one or two of them. */
const MOST_KNOWN = 100;

/**
 * Tells whether two kubeconfigs lead to the same cluster by the same credentials. How they are written does not matter:
 * one that was saved ends with a line feed, what kind prints does not, and another kind may print it another way. Who
 * holds the one must not close the connection of who holds the other.
 */
export class CredentialsPrint {
  private readonly known = new Map<string, string>();

  /** Of a text that is no kubeconfig, it is that of the text. */
  of(kubeconfig: string): string {
    const text = hashOf(kubeconfig);
    let print = this.known.get(text);
    if (print === undefined) {
      print = hashOf(credentialsIn(kubeconfig) ?? kubeconfig);
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      this.known.set(text, print);
    }
    return print;
  }
}

function credentialsIn(kubeconfig: string): string | null {
  try {
    const { clusters, users, contexts, ...more } = parse(kubeconfig) as Record<string, unknown>;
    return clusters && users
      ? JSON.stringify([clusters, users, contexts, more['current-context']], byName)
      : null;
  } catch {
    return null;
  }
}

function byName(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
