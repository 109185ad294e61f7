import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ReplacedResourceDto, ResourceObjectDto, YamlDto } from '../../shared/api/api-types';
import { fakeApi } from '../../shared/testing/fake-api';
import { anObject } from '../../shared/testing/resource-records';
import { OBJECT } from '../resource-model/resource-address';
import { ObjectDraft } from './object-draft';

const CONFLICT = new ApiProblem('resource_conflict', 'The object was changed.', 409);

describe('ObjectDraft', () => {
  let inCluster: ResourceObjectDto;
  let sent: { yaml: string; dryRun: boolean }[];
  let refusal: ApiProblem | null;
  let saved: number;
  let draft: ObjectDraft;

  beforeEach(() => {
    inCluster = anObject();
    sent = [];
    refusal = null;
    saved = 0;
    draft = new ObjectDraft(
      fakeApi({
        [`GET ${OBJECT}`]: () => Promise.resolve(inCluster),
        [`PUT ${OBJECT}`]: ({ dry_run: dryRun = false }: { dry_run?: boolean }, { yaml }: YamlDto) => {
          sent.push({ yaml, dryRun });
          if (refusal) return Promise.reject(refusal);
          if (!dryRun) inCluster = anObject({ yaml, resource_version: '11' });
          return Promise.resolve({
            outcome: 'configured',
            before: 'a',
            after: 'b',
            resource_version: '11',
            warnings: [],
            dry_run: dryRun,
          } as unknown as ReplacedResourceDto);
        },
      }),
      { name: 'staging', runtime: 'demo' },
      () => (saved += 1),
    );
    draft.follow(inCluster);
  });

  function type(): string {
    draft.text.update((text) => text.replace('blue', 'green'));
    return draft.text();
  }

  it('runs a dry run before it saves', async () => {
    const typed = type();
    await draft.check();
    expect(draft.view()).toBe('review');
    await draft.save();
    expect(sent).toEqual([
      { yaml: typed, dryRun: true },
      { yaml: typed, dryRun: false },
    ]);
    expect([draft.view(), draft.dirty(), saved]).toEqual(['edit', false, 1]);
  });

  it('follows the cluster until the text is edited', () => {
    draft.follow(anObject({ yaml: 'newer', resource_version: '11' }));
    expect(draft.text()).toBe('newer');
    draft.text.set('mine');
    draft.follow(anObject({ yaml: 'newest', resource_version: '12' }));
    expect(draft.text()).toBe('mine');
    expect(draft.theirs()?.yaml).toBe('newest');
  });

  it('bases the text on the newer version after a conflict', async () => {
    type();
    inCluster = anObject({
      yaml: inCluster.yaml.replace('"10"', '"12"').replace('data:', 'data:\n  size: big'),
      resource_version: '12',
    });
    refusal = CONFLICT;
    await draft.check();
    expect(draft.theirs()?.resource_version).toBe('12');
    expect(draft.text()).toContain('green');
    draft.keepMine();
    expect(draft.text()).toContain('resourceVersion: "12"');
    expect(draft.text()).toContain('green');
    expect([draft.theirs(), draft.problem()]).toEqual([undefined, null]);
    refusal = null;
    await draft.check();
    expect(draft.view()).toBe('review');
  });

  it('does not save over a newer version that arrives during the review', async () => {
    type();
    await draft.check();
    draft.follow(anObject({ yaml: 'newer', resource_version: '11' }));
    await draft.save();
    expect(sent.map(({ dryRun }) => dryRun)).toEqual([true]);
    draft.keepMine();
    expect([draft.view(), draft.theirs()]).toEqual(['edit', undefined]);
  });

  it('bases the text on the newer version after a save was rejected', async () => {
    type();
    await draft.check();
    inCluster = anObject({ yaml: 'newer', resource_version: '12' });
    refusal = CONFLICT;
    await draft.save();
    expect([draft.view(), draft.theirs()?.yaml, saved]).toEqual(['edit', 'newer', 0]);
  });

  it('keeps the conflict while a request is running', async () => {
    type();
    draft.follow(anObject({ yaml: 'newer', resource_version: '11' }));
    const running = draft.check();
    draft.keepMine();
    expect(draft.theirs()?.yaml).toBe('newer');
    await running;
    draft.keepMine();
    expect(draft.theirs()).toBeUndefined();
  });

  it('discards the text in favor of the newer version', async () => {
    type();
    inCluster = anObject({ yaml: 'theirs', resource_version: '12' });
    refusal = CONFLICT;
    await draft.check();
    draft.discard();
    expect([draft.text(), draft.dirty(), draft.theirs()]).toEqual(['theirs', false, undefined]);
  });

  it('keeps the text if the cluster rejects it, with the reason', async () => {
    const typed = type();
    refusal = new ApiProblem('resource_refused', 'data.color: must be a color', 422);
    await draft.check();
    expect([draft.view(), draft.text()]).toEqual(['edit', typed]);
    expect(draft.problem()?.message).toBe('data.color: must be a color');
  });
});
