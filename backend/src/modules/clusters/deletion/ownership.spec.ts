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

describe('what is found under a cluster’s name belongs to its creation', () => {
  const divided = (
    objects: FakeJobObjects,
    ...containers: ClusterContainer[]
  ): [string[], number, string[]] => {
    const { own, foreign } = divide(found(...containers), 'create', objects);
    expect(own.volumes.map(({ name }) => name)).toEqual(own.containers.map(({ id }) => `volume-of-${id}`));
    return [own.containers.map(({ id }) => id), own.volumes.length, foreign];
  };

  it('by its id, whenever it was created', () => {
    expect(divided(creationOf(container('a', 0)), container('a', 0))).toEqual([['a'], 1, []]);
  });

  it('where it was created while the job’s kind process ran', () => {
    expect(divided(creationOf(), container('a', FROM), container('b', TO, 'c-worker'))).toEqual([
      ['a', 'b'],
      2,
      [],
    ]);
  });

  it.each([
    ['before kind started', FROM - 3000, 'was created before the kind process of this job started'],
    ['after kind ended', TO + 3000, 'was created after the kind process of this job ended'],
  ])('not where it was created %s', (_what, at, reason) => {
    expect(divided(creationOf(), container('somebody-elses', at))).toEqual([
      [],
      0,
      [`container c-control-plane (somebody-els) ${reason}`],
    ]);
  });

  it('not where the job recorded another one under its name', () => {
    const [own, volumes, foreign] = divided(creationOf(container('a', FROM)), container('b', FROM + 1000));
    expect([own, volumes]).toEqual([[], 0]);
    expect(foreign).toEqual(['container c-control-plane (b) replaced the one that this job created']);
  });

  it('not where kind never ran', () => {
    expect(divided(new FakeJobObjects(), container('a', FROM))[2]).toEqual([
      'container c-control-plane (a) was not created by this job',
    ]);
  });

  it('by the engine’s own clock', () => {
    const objects = creationOf();
    objects.period = { from: FROM, to: TO, clockOffsetMs: 3_600_000 };
    expect(divided(objects, container('a', FROM + 3_600_000))[0]).toEqual(['a']);
    expect(divided(objects, container('a', FROM))[0]).toEqual([]);
  });

  it('as a volume whose container is gone, by its record or its creation', () => {
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

describe('what is found under a cluster’s name belongs to its deletion', () => {
  it('only where the deletion recorded it at its start', () => {
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
    expect(foreign).toEqual(['container c-worker (b) was not there when the removal started']);
  });
});
