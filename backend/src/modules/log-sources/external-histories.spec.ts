import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../core/errors/index.js';
import { PodLogs, type LoggedPod, type PodScope } from '../../drivers/kubernetes/index.js';
import { scopedPodLogs } from './external-histories.js';

const pod = (name: string): LoggedPod => ({
  ...{ uid: name, namespace: 'one', name, workload: null, owner: null, containers: [] },
});
const scope = (namespace: string): PodScope => ({ namespace, selector: null });
const forbidden = new DomainError('resource_forbidden', 'forbidden');

/** Reports a Pod with the name of the namespace, and then ends like the namespace says. */
class FakeLogs extends PodLogs {
  constructor(private readonly ends: Record<string, Error>) {
    super();
  }

  override async followPods(
    onPods: (pods: readonly LoggedPod[]) => void,
    signal: AbortSignal,
    { namespace }: PodScope = scope(''),
  ): Promise<void> {
    const end = this.ends[namespace];
    if (end) throw end;
    onPods([pod(namespace)]);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }

  override find = (): never => this.unused();
  override open = (): never => this.unused();

  private unused(): never {
    throw new Error('unused');
  }
}

async function follow(ends: Record<string, Error>): Promise<{ reports: string[][]; failure: unknown }> {
  const reports: string[][] = [];
  const logs = scopedPodLogs(new FakeLogs(ends), ['a', 'b', 'c'].map(scope));
  const ending = new AbortController();
  const run = logs.followPods((pods) => reports.push(pods.map(({ name }) => name)), ending.signal);
  setTimeout(() => ending.abort(), 20);
  const failure = await run.catch((error: unknown) => error);
  return { reports, failure };
}

describe('scopedPodLogs', () => {
  it('follows the other scopes if the cluster refuses one', async () => {
    const refused = new DomainError('resource_refused', 'invalid selector');
    expect(await follow({ a: forbidden, c: refused })).toEqual({ reports: [['b']], failure: undefined });
  });

  it('fails if the cluster refuses all scopes, or does not respond', async () => {
    expect(await follow({ a: forbidden, b: forbidden, c: forbidden })).toEqual({
      ...{ reports: [], failure: forbidden },
    });
    const unreachable = new DomainError('cluster_unreachable', 'gone');
    expect(await follow({ b: unreachable })).toEqual({ reports: [], failure: unreachable });
  });
});
