import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../shared/api/api-types';
import { aCluster } from '../../shared/testing/records';
import { actionsOf, foremostOf, hasKubeconfig } from './available-actions';

function offered(change: Partial<ClusterDto>): string {
  return actionsOf(aCluster(change))
    .map(({ text, asks }) => (asks ? `${text}…` : text))
    .join(', ');
}

describe('what can be done with a cluster', () => {
  it.each<[Partial<ClusterDto>, string]>([
    [{ state: 'running' }, 'Stop, Pause, Recreate…, Delete…'],
    [{ state: 'running', config_changed: true }, 'Stop, Pause, Start with new config…, Recreate…, Delete…'],
    [{ state: 'degraded' }, 'Repair, Stop, Recreate…, Delete…'],
    [{ state: 'degraded', config_changed: true }, 'Repair, Stop, Start with new config…, Recreate…, Delete…'],
    [{ state: 'paused' }, 'Unpause, Stop, Recreate…, Delete…'],
    [{ state: 'stopped' }, 'Start, Recreate…, Delete…'],
    [{ state: 'stopped', config_changed: true }, 'Start, Start with new config…, Recreate…, Delete…'],
    [{ state: 'failed', nodes: [] }, 'Try again, Delete…'],
    [{ state: 'failed', nodes_kept: true }, 'Try again…, Delete…'],
    [{ state: 'missing', nodes: [] }, 'Recreate, Delete…'],
    [{ state: 'unknown' }, ''],
    [{ state: 'starting', active_job_id: 3 }, ''],
    [{ state: 'running', active_job_id: 3 }, ''],
  ])('of %j is %s', (change, actions) => {
    expect(offered(change)).toBe(actions);
  });

  it.each<[Partial<ClusterDto>, string]>([
    [{ state: 'running', config_changed: true }, 'Stop, Pause'],
    [{ state: 'degraded' }, 'Repair, Stop'],
    [{ state: 'stopped' }, 'Start'],
    [{ state: 'stopped', config_changed: true }, 'Start, Start with new config'],
    [{ state: 'failed' }, 'Try again, Delete'],
    [{ state: 'missing' }, 'Recreate, Delete'],
    [{ state: 'unknown' }, ''],
  ])('of %j has %s in front', (change, actions) => {
    expect(
      foremostOf(aCluster(change))
        .map(({ text }) => text)
        .join(', '),
    ).toBe(actions);
  });

  it('is no kubeconfig before it was made, nor after its containers went', () => {
    expect(hasKubeconfig(aCluster())).toBe(true);
    expect(hasKubeconfig(aCluster({ state: 'unknown' }))).toBe(true);
    expect(hasKubeconfig(aCluster({ state: 'creating' }))).toBe(false);
    expect(hasKubeconfig(aCluster({ state: 'missing', nodes: [] }))).toBe(false);
  });
});
