import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../shared/api/api-types';
import { aCluster, anExternalCluster } from '../../shared/testing/records';
import { actionsOf, hasKubeconfig, primaryActionsOf } from './available-actions';

function offered(change: Partial<ClusterDto>): string {
  return actionsOf(aCluster(change))
    .map(({ text, confirms }) => (confirms ? `${text}…` : text))
    .join(', ');
}

describe('actionsOf', () => {
  it.each<[Partial<ClusterDto>, string]>([
    [{ state: 'running' }, 'Stop, Pause, Recreate…, Delete…'],
    [{ state: 'running', config_changed: true }, 'Stop, Pause, Start with new config…, Recreate…, Delete…'],
    [{ state: 'degraded' }, 'Repair, Stop, Recreate…, Delete…'],
    [{ state: 'degraded', config_changed: true }, 'Repair, Stop, Start with new config…, Recreate…, Delete…'],
    [{ state: 'paused' }, 'Unpause, Stop, Recreate…, Delete…'],
    [{ state: 'stopped' }, 'Start, Recreate…, Delete…'],
    [{ state: 'stopped', config_changed: true }, 'Start, Start with new config…, Recreate…, Delete…'],
    [{ state: 'failed', nodes: [] }, 'Retry, Delete…'],
    [{ state: 'failed', nodes_kept: true }, 'Retry…, Delete…'],
    [{ state: 'missing', nodes: [] }, 'Recreate, Delete…'],
    [{ state: 'unknown' }, ''],
    [anExternalCluster(), ''],
    [{ state: 'starting', active_job_id: 3 }, ''],
    [{ state: 'running', active_job_id: 3 }, ''],
  ])('returns for %j: %s', (change, actions) => {
    expect(offered(change)).toBe(actions);
  });
});

describe('primaryActionsOf', () => {
  it.each<[Partial<ClusterDto>, string]>([
    [{ state: 'running', config_changed: true }, 'Stop, Pause'],
    [{ state: 'degraded' }, 'Repair, Stop'],
    [{ state: 'stopped' }, 'Start'],
    [{ state: 'stopped', config_changed: true }, 'Start, Start with new config'],
    [{ state: 'failed' }, 'Retry, Delete'],
    [{ state: 'missing' }, 'Recreate, Delete'],
    [{ state: 'unknown' }, ''],
  ])('returns for %j: %s', (change, actions) => {
    const texts = primaryActionsOf(aCluster(change)).map(({ text }) => text);
    expect(texts.join(', ')).toBe(actions);
  });
});

describe('hasKubeconfig', () => {
  it('is false before the cluster is created and after its containers are removed', () => {
    expect(hasKubeconfig(aCluster())).toBe(true);
    expect(hasKubeconfig(aCluster({ state: 'unknown' }))).toBe(true);
    expect(hasKubeconfig(aCluster({ state: 'creating' }))).toBe(false);
    expect(hasKubeconfig(aCluster({ state: 'missing', nodes: [] }))).toBe(false);
  });
});
