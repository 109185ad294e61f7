import { describe, expect, it } from '@jest/globals';
import { FakeJobObjects } from '../../../../../test/support/jobs/fake-job-objects.js';
import type { ClusterContainer, ClusterObjects, ClusterVolume } from '../../../drivers/runtime/index.js';
import { divide, jobObjectsOf } from './ownership.js';

const FROM = Date.parse('2026-11-21T09:00:00Z');
const TO = Date.parse('2026-11-21T09:01:00Z');

function container(id: string, at: number, name = 'c-control-plane'): ClusterContainer {
  return { id, name, createdAt: new Date(at).toISOString(), volumes: [`volume-of-${id}`] };
}

function found(...containers: ClusterContainer[]): ClusterObjects {
  return {
    containers,
    volumes: containers.map(({ id, createdAt }) => ({ name: `volume-of-${id}`, node: null, createdAt })),
  };
}

function creationOf(...created: ClusterContainer[]): FakeJobObjects {
  const objects = FakeJobObjects.withCreated(created);
  objects.period = { from: FROM, to: TO, clockOffsetMs: 0 };
  return objects;
}

describe('divide for a creation', () => {
  const divided = (
    objects: FakeJobObjects,
    ...containers: ClusterContainer[]
  ): [string[], number, string[]] => {
    const { own, foreign } = divide(found(...containers), 'create', objects);
    expect(own.volumes.map(({ name }) => name)).toEqual(own.containers.map(({ id }) => `volume-of-${id}`));
    return [own.containers.map(({ id }) => id), own.volumes.length, foreign];
  };

  it('owns a recorded object, regardless of its creation time', () => {
    expect(divided(creationOf(container('a', 0)), container('a', 0))).toEqual([['a'], 1, []]);
  });

  it('owns objects created while the kind process of the job was running', () => {
    expect(divided(creationOf(), container('a', FROM), container('b', TO, 'c-worker'))).toEqual([
      ['a', 'b'],
      2,
      [],
    ]);
  });

  it.each([
    ['before kind started', FROM - 3000, 'was created before the kind process of this job started'],
    ['after kind ended', TO + 3000, 'was created after the kind process of this job ended'],
  ])('does not own an object created %s', (_what, at, reason) => {
    expect(divided(creationOf(), container('of-another-program', at))).toEqual([
      [],
      0,
      [`container c-control-plane (of-another-p) ${reason}`],
    ]);
  });

  it('does not own an object if the job recorded another one with the same name', () => {
    const [own, volumes, foreign] = divided(creationOf(container('a', FROM)), container('b', FROM + 1000));
    expect([own, volumes]).toEqual([[], 0]);
    expect(foreign).toEqual(['container c-control-plane (b) replaced the one that this job created']);
  });

  it('does not own unrecorded objects if kind never ran', () => {
    expect(divided(new FakeJobObjects(), container('a', FROM))[2]).toEqual([
      'container c-control-plane (a) was not created by this job',
    ]);
  });

  it('uses the clock of the engine', () => {
    const objects = creationOf();
    objects.period = { from: FROM, to: TO, clockOffsetMs: 3_600_000 };
    expect(divided(objects, container('a', FROM + 3_600_000))[0]).toEqual(['a']);
    expect(divided(objects, container('a', FROM))[0]).toEqual([]);
  });

  it('owns a volume without a container by record or creation time', () => {
    const objects = creationOf();
    objects.record('create', jobObjectsOf(found(container('a', FROM))));
    const volume = (name: string, at: number | null, node: string | null = null): ClusterVolume => ({
      name,
      node,
      createdAt: at === null ? null : new Date(at).toISOString(),
    });
    const { own, foreign } = divide(
      {
        containers: [],
        volumes: [
          volume('volume-of-a', 0),
          volume('b', FROM, 'c-worker'),
          volume('c', TO + 5000, 'c-worker2'),
          volume('d', null, 'c-worker3'),
          volume('e', FROM, 'c-control-plane'),
        ],
      },
      'create',
      objects,
    );
    expect(own.volumes.map(({ name }) => name)).toEqual(['volume-of-a', 'b']);
    expect(foreign).toEqual([
      'volume c was created after the kind process of this job ended',
      'volume d has no known creation time',
      'volume e replaced the one that this job created',
    ]);
  });
});

describe('divide for a deletion', () => {
  it('owns only the objects recorded at its start', () => {
    const objects = new FakeJobObjects();
    objects.record('delete', jobObjectsOf(found(container('a', FROM))));
    const { own, foreign } = divide(
      found(container('a', FROM), container('b', FROM, 'c-worker')),
      'delete',
      objects,
    );
    expect([own.containers.map(({ id }) => id), own.volumes.map(({ name }) => name)]).toEqual([
      ['a'],
      ['volume-of-a'],
    ]);
    expect(foreign).toEqual(['container c-worker (b) did not exist when the removal started']);
  });
});
