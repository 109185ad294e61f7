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
  namespaces?: readonly string[];
  cluster?: ClusterDto;
  problem?: ApiProblem;
  waiting?: boolean;
  size?: number;
  complete?: boolean;
  filtered?: boolean;
  missing?: boolean;
}

/** Text shown instead of the rows. */
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
    namespaces: situation.namespaces ?? [],
    filtered: situation.filtered ?? false,
  };
  for (const [name, value] of Object.entries(inputs)) fixture.componentRef.setInput(name, value);
  await fixture.whenStable();
  return (fixture.nativeElement as HTMLElement).textContent.replaceAll(/\s+/g, ' ').trim();
}

describe('TableStates', () => {
  it('shows that there are no objects', async () => {
    expect(await shown({})).toBe('No Pods New ones appear here automatically.');
  });

  it('shows how many rows the filter hides', async () => {
    expect(await shown({ filtered: true, size: 26 })).toMatch(
      /^No matches The filter hides 26 objects\. Clear filter$/,
    );
  });

  it('shows that the filter hides one object, and the chosen namespaces', async () => {
    const namespaces = ['shop', 'web', 'db'];
    expect(await shown({ filtered: true, size: 1, namespaces })).toMatch(
      /^No matches The filter hides 1 object\. Chosen namespaces: shop, web, and db\. Clear filter$/,
    );
  });

  it.each<[string, Situation]>([
    ['at first', { waiting: true }],
    ['while a filter has no matches yet', { filtered: true, size: 26, complete: false }],
  ])('shows that it is loading %s', async (_when, situation) => {
    expect(await shown(situation)).toBe('Loading Pods');
  });

  it('shows a missing permission', async () => {
    const problem = new ApiProblem('resource_forbidden', 'pods is forbidden.', 403);
    expect(await shown({ problem })).toBe('No permission to list Pods pods is forbidden. Try again');
  });

  it('shows that the kind is not served', async () => {
    const problem = new ApiProblem('resource_type_not_found', 'staging does not serve pods.', 404);
    expect(await shown({ problem })).toMatch(/^Pods not found in this cluster staging does not serve pods\./);
  });

  it('shows that loading failed', async () => {
    const problem = new ApiProblem('cluster_unreachable', 'Its API server does not answer.', 502);
    expect(await shown({ problem })).toMatch(/^Could not load Pods Its API server does not answer\./);
  });

  it('offers to start a stopped cluster', async () => {
    expect(await shown({ cluster: aCluster({ state: 'stopped' }) })).toMatch(
      /^staging is not running Stopped\. Start the cluster to see its resources\. Start Open staging$/,
    );
  });

  it('shows that the cluster does not exist', async () => {
    expect(await shown({ missing: true })).toMatch(/^Cluster does not exist/);
  });
});
