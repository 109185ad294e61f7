import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { list, parseJson, record, required, text, texts, type Read } from '../../../core/parsing/index.js';
import { fullReference, type NodeContainer, type RuntimeDriver } from '../../../drivers/runtime/index.js';

export interface NodeImage {
  id: string;
  references: string[];
  sizeBytes: number;
}

/** Output of `crictl images`. */
const crictlImages = record({
  images: list(record({ repoTags: texts, repoDigests: texts, size: text(64) }, { id: text(1024) })),
});

const LIST_IMAGES = ['crictl', 'images', '--output=json'] as const;
/** Fallback for custom node images without crictl. `kind load` requires ctr. */
const LIST_IMAGES_WITH_CTR = ['ctr', '--namespace=k8s.io', 'images', 'list'] as const;
/** Exit codes for a program that does not exist or is not executable. */
const NOT_FOUND = new Set([126, 127]);
const DEADLINE_MS = 4000;
/** For jobs, which can wait longer than a request. */
export const LIST_DEADLINE_MS = 20_000;

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** Images that are part of a node image: Kubernetes, and kind's network and storage. */
const OF_KUBERNETES =
  /^(registry\.k8s\.io\/(kube-(apiserver|controller-manager|scheduler|proxy)|etcd|coredns\/coredns|pause)|docker\.io\/(kindest\/kindnetd|(kindest|rancher)\/local-path-(provisioner|helper)))[:@]/;

/** Lists the images of a node. @throws DomainError `node_unavailable` or `runtime_unavailable` */
export async function imagesOfNode(
  runtime: RuntimeDriver,
  node: NodeContainer,
  deadlineMs = DEADLINE_MS,
): Promise<NodeImage[]> {
  const listed = await runtime.execInNode(node.id, LIST_IMAGES, deadlineMs);
  if (listed.exitCode === 0) return fromCrictl(node.name, listed.stdout);
  if (!NOT_FOUND.has(listed.exitCode)) throw listFailed(node.name, listed.stderr || listed.stdout);
  const plain = await runtime.execInNode(node.id, LIST_IMAGES_WITH_CTR, deadlineMs);
  if (plain.exitCode !== 0) throw listFailed(node.name, plain.stderr || plain.stdout);
  return fromContainerd(plain.stdout);
}

export function isOfKubernetes({ references }: NodeImage): boolean {
  return references.some((reference) => OF_KUBERNETES.test(reference));
}

/** @param id the content to compare; null if unknown. */
export function hasImage(images: readonly NodeImage[], reference: string, id: string | null): boolean {
  const whole = fullReference(reference);
  return images.some((image) => image.references.includes(whole) && (id === null || image.id === id));
}

function fromCrictl(node: string, printed: string): NodeImage[] {
  let output: Read<typeof crictlImages>;
  try {
    output = required(crictlImages, parseJson(printed), 'the list of images');
  } catch (cause) {
    throw listFailed(node, reasonOf(cause), cause);
  }
  return (output.images ?? []).map(({ id, repoTags = [], repoDigests = [], size = '' }) => ({
    id,
    references: repoTags.length > 0 ? repoTags : repoDigests,
    sizeBytes: Number(size) || 0,
  }));
}

/** A table with a line for each name. The CRI plugin of containerd adds the image id as another name. */
function fromContainerd(text: string): NodeImage[] {
  const byDigest = new Map<string, { names: string[]; sizeBytes: number }>();
  for (const line of text.split('\n')) {
    const match = /^(\S+)\s+\S+\s+(sha256:[0-9a-f]{64})\s+([\d.]+)\s+([KMGT]?i?B)\s/.exec(line);
    if (!match) continue;
    const [, name = '', digest = '', size = '', unit = ''] = match;
    const known = byDigest.get(digest) ?? { names: [], sizeBytes: Number(size) * (UNITS[unit] ?? 1) };
    byDigest.set(digest, { ...known, names: [...known.names, name] });
  }
  return [...byDigest].map(([digest, { names, sizeBytes }]) => {
    const tagged = names.filter((name) => !name.startsWith('sha256:') && !name.includes('@'));
    return {
      id: names.find((name) => name.startsWith('sha256:')) ?? digest,
      references: tagged.length > 0 ? tagged : names.filter((name) => name.includes('@')),
      sizeBytes: Math.round(sizeBytes),
    };
  });
}

function listFailed(node: string, output: string, cause?: unknown): DomainError {
  const last = output.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  const message = `Could not list the images of ${node}: ${last.replace(/\.$/, '')}.`;
  return new DomainError('node_unavailable', message, undefined, { cause });
}
