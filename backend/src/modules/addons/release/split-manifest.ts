import { isRecord } from '../../../core/values/index.js';
import { yamlValue } from '../../../core/yaml/index.js';

export interface RenderedObject {
  apiVersion: string;
  kind: string;
  /** Null for a cluster-scoped object, or one in the namespace of the release. */
  namespace: string | null;
  name: string;
  /** With comments. May contain a Secret. */
  text: string;
}

type Head = Omit<RenderedObject, 'text'>;

/** Larger objects are not parsed: a chart may contain dozens of dashboards of 100 kB. */
const PARSED_CHARACTERS = 20_000;

export function splitManifest(manifest: string): RenderedObject[] {
  return manifest
    .split(/^---[ \t]*$/m)
    .map((text) => text.trim())
    .filter((text) => hasContent(text))
    .flatMap((text) => {
      const head = text.length > PARSED_CHARACTERS ? scannedHead(text) : parsedHead(text);
      return head ? [{ ...head, text: `${text}\n` }] : [];
    });
}

function hasContent(text: string): boolean {
  return /^[ \t]*[^\s#]/m.test(text);
}

/** Whether helm keeps the object when its release is uninstalled, as charts request for CRDs. */
export function isKept({ text }: RenderedObject): boolean {
  return /^[ \t]+["']?helm\.sh\/resource-policy["']?:[ \t]*["']?keep\b/m.test(text);
}

function valueOf(text: string): unknown {
  try {
    return yamlValue(text, { version: '1.1' });
  } catch {
    return undefined;
  }
}

function parsedHead(text: string): Head | undefined {
  const value = valueOf(text);
  if (!isRecord(value) || !isRecord(value['metadata'])) return scannedHead(text);
  const { name, namespace } = value['metadata'];
  return head(value['apiVersion'], value['kind'], name, namespace);
}

/** Reads the head of an object by regex. Charts write it in block style. */
function scannedHead(text: string): Head | undefined {
  const tops = [...text.matchAll(/^(apiVersion|kind):[ \t]*["']?([^"'\s#]+)/gm)];
  const top = (key: string): string | undefined => tops.find(([, name]) => name === key)?.[2];
  const metadata = /^metadata:[ \t]*\n((?:(?:[ \t].*)?\n)+)/m.exec(text)?.[1] ?? '';
  const indent = /^[ \t]+(?=\S)/.exec(metadata)?.[0] ?? '  ';
  const fields = [...metadata.matchAll(/^([ \t]+)(name|namespace):[ \t]*["']?([^"'\s#]+)/gm)];
  const below = (key: string): string | undefined =>
    fields.find(([, depth, name]) => depth === indent && name === key)?.[3];
  return head(top('apiVersion'), top('kind'), below('name'), below('namespace'));
}

function head(apiVersion: unknown, kind: unknown, name: unknown, namespace: unknown): Head | undefined {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') {
    return undefined;
  }
  return {
    apiVersion,
    kind,
    name,
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : null,
  };
}
