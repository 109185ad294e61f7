import type { ClusterContainer, ClusterObjects, ClusterVolume } from '../../../drivers/runtime/index.js';
import type { JobObject, JobObjects, ObjectPurpose } from '../../jobs/index.js';

/** Engines report creation times in seconds, and complete requests of a killed program a moment later. */
const TOLERANCE_MS = 2000;
const SHORT_ID = 12;

/** The objects with a cluster name, divided by whether they belong to a job. */
export interface Division {
  own: ClusterObjects;
  /** Descriptions of the other objects, with the reason why they do not belong. */
  foreign: string[];
}

/** Returns why an object does not belong to the job, or null if it does. */
type Judge = (object: JobObject, createdAt: string | null) => string | null;

/**
 * A deletion owns the objects that it recorded when it started. A creation owns the objects that it recorded, and those
 * created while its kind process was running, unless it recorded another object with the same name.
 */
export function divide(
  { containers, volumes }: ClusterObjects,
  purpose: ObjectPurpose,
  objects: JobObjects,
): Division {
  const judge = purpose === 'delete' ? judgeDeletion(objects) : judgeCreation(objects);
  const own: ClusterObjects = { containers: [], volumes: [] };
  const foreign: string[] = [];
  for (const container of containers) {
    const { id, name, createdAt } = container;
    const reason = judge({ type: 'container', id, node: name }, createdAt);
    if (reason === null) own.containers.push(container);
    else foreign.push(`container ${name} (${id.slice(0, SHORT_ID)}) ${reason}`);
  }
  for (const volume of volumes) {
    const user = userOf(volume, containers);
    // A volume belongs to the owner of its container.
    if (user) {
      if (own.containers.includes(user)) own.volumes.push(volume);
      continue;
    }
    const reason = judge({ type: 'volume', id: volume.name, node: volume.node ?? '' }, volume.createdAt);
    if (reason === null) own.volumes.push(volume);
    else foreign.push(`volume ${volume.name.slice(0, SHORT_ID)} ${reason}`);
  }
  return { own, foreign };
}

export function jobObjectsOf({ containers, volumes }: ClusterObjects): JobObject[] {
  return [
    ...containers.map(({ id, name }): JobObject => ({ type: 'container', id, node: name })),
    ...volumes.map((volume): JobObject => ({
      type: 'volume',
      id: volume.name,
      node: userOf(volume, containers)?.name ?? volume.node ?? '',
    })),
  ];
}

function judgeDeletion(objects: JobObjects): Judge {
  const recorded = objects.recorded('delete');
  return ({ type, id }) =>
    recorded.some((object) => object.type === type && object.id === id)
      ? null
      : 'did not exist when the removal started';
}

function judgeCreation(objects: JobObjects): Judge {
  const recorded = objects.recorded('create');
  const period = objects.creation();
  return ({ type, id, node }, createdAt) => {
    const sameType = recorded.filter((object) => object.type === type);
    if (sameType.some((object) => object.id === id)) return null;
    if (node !== '' && sameType.some((object) => object.node === node)) {
      return 'replaced the one that this job created';
    }
    if (period === null) return 'was not created by this job';
    if (createdAt === null) return 'has no known creation time';
    const time = Date.parse(createdAt) - period.clockOffsetMs;
    if (time < period.from - TOLERANCE_MS) return 'was created before the kind process of this job started';
    if (time > period.to + TOLERANCE_MS) return 'was created after the kind process of this job ended';
    return null;
  };
}

function userOf(
  { name }: ClusterVolume,
  containers: readonly ClusterContainer[],
): ClusterContainer | undefined {
  return containers.find(({ volumes }) => volumes.includes(name));
}
