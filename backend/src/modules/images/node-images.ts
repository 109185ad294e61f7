import { DomainError, reasonOf } from '../../core/errors/index.js';
import { fullReference, type NodeContainer, type RuntimeDriver } from '../../drivers/runtime/index.js';

/** An image in a node, as containerd knows it. */
export interface NodeImage {
  id: string;
  references: string[];
  sizeBytes: number;
}

/** What Kubernetes' own tool says of the images of a node. */
interface CrictlImages {
  images?: {
    id?: string;
    repoTags?: string[] | null;
    repoDigests?: string[] | null;
    size?: string;
  }[];
}

const LIST_IMAGES = ['crictl', 'images', '--output=json'] as const;
/** containerd's own tool, which `kind load` itself needs: node images that somebody built may lack the other. */
const LIST_IMAGES_PLAINLY = ['ctr', '--namespace=k8s.io', 'images', 'list'] as const;
/** What an engine says of a program that it cannot start, and a shell of one that it cannot find. */
const NOT_THERE = new Set([126, 127]);
const DEADLINE_MS = 4000;

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** What a node image brings along: Kubernetes, kind's network and storage. */
const OF_KUBERNETES =
  /^(registry\.k8s\.io\/(kube-(apiserver|controller-manager|scheduler|proxy)|etcd|coredns\/coredns|pause)|docker\.io\/(kindest\/kindnetd|(kindest|rancher)\/local-path-(provisioner|helper)))[:@]/;

/** The images that a node holds. @throws DomainError `node_unavailable` or `runtime_unavailable` */
export async function imagesOfNode(
  runtime: RuntimeDriver,
  node: NodeContainer,
  deadlineMs = DEADLINE_MS,
): Promise<NodeImage[]> {
  const answer = await runtime.execInNode(node.id, LIST_IMAGES, deadlineMs);
  if (answer.exitCode === 0) return fromCrictl(node.name, answer.stdout);
  if (!NOT_THERE.has(answer.exitCode)) throw untold(node.name, answer.stderr || answer.stdout);
  const plain = await runtime.execInNode(node.id, LIST_IMAGES_PLAINLY, deadlineMs);
  if (plain.exitCode !== 0) throw untold(node.name, plain.stderr || plain.stdout);
  return fromContainerd(plain.stdout);
}

export function isOfKubernetes({ references }: NodeImage): boolean {
  return references.some((reference) => OF_KUBERNETES.test(reference));
}

/** Whether a node holds an image under a name: the same content, where both sides tell it. */
export function holds(images: readonly NodeImage[], reference: string, id: string | null): boolean {
  const whole = fullReference(reference);
  return images.some((image) => image.references.includes(whole) && (id === null || image.id === id));
}

function fromCrictl(node: string, text: string): NodeImage[] {
  let answer: CrictlImages;
  try {
    answer = JSON.parse(text) as CrictlImages;
  } catch (cause) {
    throw untold(node, reasonOf(cause), cause);
  }
  return (answer.images ?? []).flatMap(({ id, repoTags, repoDigests, size }) => {
    if (id === undefined) return [];
    const names = repoTags && repoTags.length > 0 ? repoTags : (repoDigests ?? []);
    return [{ id, references: names, sizeBytes: Number(size ?? 0) }];
  });
}

/**
 * A table with a line for each name. Kubernetes' side of containerd gives each image its id as one name more,
 * which is how the id is known here.
 */
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

function untold(node: string, output: string, cause?: unknown): DomainError {
  const last = output.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return new DomainError(
    'node_unavailable',
    `${node} does not tell its images: ${last.replace(/\.$/, '')}.`,
    undefined,
    {
      cause,
    },
  );
}
