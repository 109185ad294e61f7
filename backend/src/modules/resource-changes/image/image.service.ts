import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { isRecord, recordOf } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { ClusterImagesService } from '../../images/index.js';
import {
  ClusterResources,
  describeObject,
  isCronJob,
  isPaused,
  podSpecPath,
  readableKind,
} from '../../resources/index.js';
import { ChangeJournal, type Changed } from '../change/change-journal.js';
import { findTarget, type ObjectAddress } from '../change/change-target.js';
import { rolloutWarnings } from '../change/change-warnings.js';
import { replaceChecked } from '../change/checked-replacement.js';
import { checkImages } from './image-check.js';
import type { ChangedImagesDto, ChangeImagesDto } from './image.dto.js';

/** As the cluster keeps it: only its image is changed. */
type Container = Record<string, unknown>;

const LISTS = ['containers', 'initContainers'] as const;

@Injectable()
export class ImageService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly images: ClusterImagesService,
    private readonly journal: ChangeJournal,
  ) {}

  /**
   * Changes images of the Pod template, after a comparison with the images of the nodes and a dry run by the cluster.
   * @throws DomainError `resource_refused` for a kind without a Pod template, `invalid_input` for an unknown container,
   * `confirmation_required` if no node has an image, unless `accept_missing` is set
   */
  async change(
    address: ObjectAddress,
    { images, accept_missing: acceptMissing = false }: ChangeImagesDto,
    dryRun: boolean,
  ): Promise<ChangedImagesDto> {
    const target = await findTarget(this.resources, address);
    const { api, cluster, type, reference } = target;
    const path = podSpecPath(type);
    if (!path) {
      throw new DomainError(
        'resource_refused',
        `The image of a ${readableKind(type.kind)} cannot be changed here. It can of Deployments, StatefulSets, DaemonSets and CronJobs.`,
      );
    }
    const stored = await api.read(reference);
    const wanted = new Map(images.map(({ container, image }) => [container, image]));
    assertContainers(stored, path, wanted);
    const what = describeObject(type, reference);
    const check = checkImages([...wanted.values()], await this.images.read(cluster.name, cluster.runtime));
    if (check.missing.length > 0 && !acceptMissing && !dryRun) {
      throw new DomainError(
        'confirmation_required',
        `Could not change the image of ${what}. ${check.warnings[0] ?? ''} Set accept_missing to change it anyway.`,
        { missing: check.missing },
      );
    }
    const work = async (): Promise<Changed<ChangedImagesDto>> => {
      const change = (now: KubernetesObject): KubernetesObject => withImages(now, path, wanted);
      const replaced = await replaceChecked(target, stored, change, dryRun);
      const changes = images.map(({ container, image }) => `${container} to ${image}`).join(', ');
      const effect = isCronJob(type) ? 'The next Job uses it.' : 'A rollout replaces the pods.';
      const changed = replaced.outcome === 'configured';
      return {
        result: {
          ...replaced,
          missing: check.missing,
          warnings: [
            ...check.warnings,
            ...pullWarnings(stored, path, wanted),
            ...(isPaused(stored) ? ['Its rollout is paused. The change waits until it is resumed.'] : []),
            ...(isCronJob(type) ? [] : rolloutWarnings(stored)),
            ...replaced.warnings,
          ],
          message: changed ? `Changed the image of ${changes}. ${effect}` : 'It already has these images.',
        },
        message: changed ? `Changed images of ${what}: ${changes}.` : null,
        diff: replaced,
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      { kind: 'image-change', cluster, reference, failure: `could not change the image of ${what}` },
      work,
    );
  }
}

function containersOf(object: KubernetesObject, path: readonly string[]): Container[] {
  let spec: unknown = object;
  for (const field of path) spec = recordOf(spec)[field];
  return LISTS.flatMap((list) => {
    const containers = recordOf(spec)[list];
    return Array.isArray(containers) ? containers.filter(isRecord) : [];
  });
}

function nameOf({ name }: Container): string {
  return typeof name === 'string' ? name : '';
}

function assertContainers(
  stored: KubernetesObject,
  path: readonly string[],
  wanted: ReadonlyMap<string, string>,
): void {
  const names = containersOf(stored, path).map(nameOf);
  const problems = [...wanted.keys()].flatMap((container, index) =>
    names.includes(container)
      ? []
      : [{ field: `images[${index}].container`, problem: `must be one of ${names.join(', ')}` }],
  );
  if (problems.length > 0) throw invalidInput(problems);
}

function withImages(
  stored: KubernetesObject,
  path: readonly string[],
  wanted: ReadonlyMap<string, string>,
): KubernetesObject {
  const draft = structuredClone(stored);
  for (const container of containersOf(draft, path)) {
    const image = wanted.get(nameOf(container));
    if (image !== undefined) container['image'] = image;
  }
  return draft;
}

function pullWarnings(
  stored: KubernetesObject,
  path: readonly string[],
  wanted: ReadonlyMap<string, string>,
): string[] {
  return containersOf(stored, path)
    .filter((container) => wanted.has(nameOf(container)) && container['imagePullPolicy'] === 'Always')
    .map(
      (container) =>
        `The imagePullPolicy of ${nameOf(container)} is Always: nodes pull the image at each start and do not use a loaded one.`,
    );
}
