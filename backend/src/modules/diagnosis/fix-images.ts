import { fullReference, fullRepository } from '../../drivers/runtime/index.js';
import { containersIn, parameter, templateContainer, titleOf, type Fix, type Situation } from './fix.js';
import { recordOf } from '../../core/values/index.js';

const MAX_CHOICES = 50;
/** As for a change of images. */
const IMAGE = /^[^\s@]{1,400}(@sha256:[0-9a-f]{64})?$/;

/** Loads an image that the engine of the cluster has, and no node. */
export async function loadImage(situation: Situation): Promise<Fix[]> {
  const { facts, images, cluster } = situation;
  const image = imageOf(situation);
  const container = containersIn(recordOf(facts.object['spec'])).find(
    ({ name }) => name === situation.cause.container,
  );
  // Such a container does not use a loaded image.
  if (image === undefined || container?.['imagePullPolicy'] === 'Always') return [];
  const found = (await images.ofEngine(cluster.name, cluster.runtime)).find(
    (each) => fullReference(each) === fullReference(image),
  );
  if (found === undefined) return [];
  return [
    {
      code: 'load_image',
      label: 'Load image',
      changes: `${image} of the container engine, into the nodes of ${cluster.name}`,
      parameters: [],
      plan: () => ({ do: 'load-image', image: found }),
    },
  ];
}

/** Another image: those of the nodes and the engine are proposed, first the ones of the same repository. */
export async function setImage(situation: Situation): Promise<Fix[]> {
  const { cause, workload, images, cluster } = situation;
  const image = imageOf(situation);
  const { container } = cause;
  if (!workload || image === undefined || container === undefined) return [];
  // Otherwise it has been changed, and the Pod is about to be replaced.
  if (templateContainer(workload, container)?.['image'] !== image) return [];
  const [ofNodes, ofEngine] = await Promise.all([
    images.read(cluster.name, cluster.runtime),
    images.ofEngine(cluster.name, cluster.runtime),
  ]);
  const present = [
    ...ofNodes.images.filter((each) => !each.part_of_kubernetes).flatMap(({ references }) => references),
    ...ofEngine.filter((each) => !each.includes('kindest/')),
  ];
  const choices = proposedImages(image, present).slice(0, MAX_CHOICES);
  const [first] = choices;
  const proposed = first !== undefined && isNamedAs(first, image) ? first : image;
  return [
    {
      code: 'set_image',
      label: 'Set another image',
      changes: `image of container ${container} in ${titleOf(workload)}`,
      parameters: [
        parameter('image', `Image (currently ${image})`, proposed, {
          choices,
          check: (value) => (IMAGE.test(value) ? undefined : 'must be the name of an image, such as web:1.4'),
        }),
      ],
      plan: ({ image: wanted = '' }) => ({ do: 'change-image', object: workload, container, image: wanted }),
    },
  ];
}

/** Images with tags in short form, those that are named as `image` first. */
export function proposedImages(image: string, present: readonly string[]): string[] {
  const short = present
    .filter((each) => !each.includes('@') && fullReference(each) !== fullReference(image))
    .map((each) => fullReference(each).replace(/^docker\.io\/(library\/)?/, ''));
  return [...new Set(short)].sort(
    (one, other) => Number(isNamedAs(other, image)) - Number(isNamedAs(one, image)) || (one < other ? -1 : 1),
  );
}

/** Whether the last part of the repository is the same: a registry in front is often what is wrong. */
function isNamedAs(one: string, other: string): boolean {
  return lastName(one) === lastName(other);
}

function lastName(image: string): string {
  const repository = fullRepository(image.replace(/@.*/s, '').replace(/:[^:/]*$/, ''));
  return repository.slice(repository.lastIndexOf('/') + 1);
}

function imageOf({ cause: { container }, facts }: Situation): string | undefined {
  return facts.containers.find(({ name }) => name === container)?.image;
}
