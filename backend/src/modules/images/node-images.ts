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
const DEADLINE_MS = 4000;

/** What a node image brings along: Kubernetes, kind's network and storage. */
const OF_KUBERNETES =
  /^(registry\.k8s\.io\/(kube-(apiserver|controller-manager|scheduler|proxy)|etcd|coredns\/coredns|pause)|docker\.io\/kindest\/(kindnetd|local-path-(provisioner|helper)))[:@]/;

/** The images that a node holds. @throws DomainError `node_unavailable` or `runtime_unavailable` */
export async function imagesOfNode(
  runtime: RuntimeDriver,
  node: NodeContainer,
  deadlineMs = DEADLINE_MS,
): Promise<NodeImage[]> {
  const { exitCode, stdout, stderr } = await runtime.execInNode(node.id, LIST_IMAGES, deadlineMs);
  if (exitCode !== 0) {
    throw new DomainError(
      'node_unavailable',
      `${node.name} does not tell its images: ${stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? ''} (exit status ${exitCode}).`,
    );
  }
  return parse(node.name, stdout);
}

export function isOfKubernetes({ references }: NodeImage): boolean {
  return references.some((reference) => OF_KUBERNETES.test(reference));
}

/** Whether a node holds an image under a name: the same content, where both sides tell it. */
export function holds(images: readonly NodeImage[], reference: string, id: string | null): boolean {
  const whole = fullReference(reference);
  return images.some((image) => image.references.includes(whole) && (id === null || image.id === id));
}

function parse(node: string, text: string): NodeImage[] {
  let answer: CrictlImages;
  try {
    answer = JSON.parse(text) as CrictlImages;
  } catch (cause) {
    throw new DomainError(
      'node_unavailable',
      `${node} does not tell its images: ${reasonOf(cause)}.`,
      undefined,
      { cause },
    );
  }
  return (answer.images ?? []).flatMap(({ id, repoTags, repoDigests, size }) => {
    if (id === undefined) return [];
    const names = repoTags && repoTags.length > 0 ? repoTags : (repoDigests ?? []);
    return [{ id, references: names, sizeBytes: Number(size ?? 0) }];
  });
}
