import { describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterDto } from '../../shared/api/api-types';
import { aCluster } from '../../shared/testing/records';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import type { TableFeed } from './table-feed';
import { TableStates } from './table-states';

interface Situation {
  cluster?: ClusterDto;
  problem?: ApiProblem;
  waiting?: boolean;
  size?: number;
  complete?: boolean;
  filtered?: boolean;
  missing?: boolean;
}

/** What stands in the place of the rows, heading first. */
async function shown(situation: Situation): Promise<string> {
  const { problem = null, waiting = false, size = 0, complete = true } = situation;
  const feed = {
    problem: signal(problem),
    waiting: signal(waiting),
    size: signal(size),
    complete: signal(complete),
  };
  TestBed.configureTestingModule({
    providers: [provideRouter([]), { provide: ClusterActions, useValue: {} }],
  });
  const fixture = TestBed.createComponent(TableStates);
  const inputs = {
    feed: feed as unknown as TableFeed,
    cluster: situation.cluster ?? aCluster(),
    missing: situation.missing ?? false,
    title: 'Pods',
    namespace: '',
    filtered: situation.filtered ?? false,
  };
  for (const [name, value] of Object.entries(inputs)) fixture.componentRef.setInput(name, value);
  await fixture.whenStable();
  return (fixture.nativeElement as HTMLElement).textContent.replaceAll(/\s+/g, ' ').trim();
}

describe('a table without rows to show', () => {
  it('has none', async () => {
    expect(await shown({})).toBe(
      'There are no Pods staging has none. They appear here as soon as there are some.',
    );
  });

  it('has all of them hidden by the filter, and clears it', async () => {
    expect(await shown({ filtered: true, size: 26 })).toMatch(
      /^Nothing here matches 26 are hidden by the filter\. Clear the filter$/,
    );
  });

  it.each<[string, Situation]>([
    ['at first', { waiting: true }],
    ['where a filter has found nothing so far', { filtered: true, size: 26, complete: false }],
  ])('is still being read %s', async (_when, situation) => {
    expect(await shown(situation)).toBe('Loading Pods');
  });

  it('may not be read, and why', async () => {
    const problem = new ApiProblem('resource_forbidden', 'pods is forbidden.', 403);
    expect(await shown({ problem })).toBe('Pods may not be read pods is forbidden. Try again');
  });

  it('is of a kind that is not served any more', async () => {
    const problem = new ApiProblem('resource_type_not_found', 'staging does not serve pods.', 404);
    expect(await shown({ problem })).toMatch(/^Pods are not served here staging does not serve pods\./);
  });

  it('cannot be read now', async () => {
    const problem = new ApiProblem('cluster_unreachable', 'Its API server does not answer.', 502);
    expect(await shown({ problem })).toMatch(/^Pods cannot be read now Its API server does not answer\./);
  });

  it('is of a cluster that does not run, which can be started', async () => {
    expect(await shown({ cluster: aCluster({ state: 'stopped' }) })).toMatch(
      /^staging does not run Stopped\. Its objects can be read while it runs\. Start To staging$/,
    );
  });

  it('is of a cluster that is not there', async () => {
    expect(await shown({ missing: true })).toMatch(/^There is no such cluster/);
  });
});
