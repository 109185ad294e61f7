import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRuntime } from '../../../../../test/support/runtime/fake-runtime.js';
import type { ClusterReadiness, ClusterTarget, GatewaySelector } from '../../../drivers/kubernetes/index.js';
import { UNIMPEDED, type Impediments } from '../../kind-config/index.js';
import { ReadinessWait, type Unready } from './readiness-wait.js';

const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };
const TARGET = { name: 'c', kubeconfig: 'text' } as unknown as ClusterTarget;
const WITHOUT_CNI = { nodes: 'no CNI', dns: 'no CNI' };
const WITHOUT_DNS = { nodes: null, dns: 'no CoreDNS' };

const state = (ready: boolean[], dnsReady: boolean): ClusterReadiness => ({
  apiReady: true,
  nodes: ready.map((each, index) => ({ name: `c-${index}`, ready: each, reason: null })),
  dnsReady,
  reason: ready.includes(false) ? 'c-0 is not ready' : dnsReady ? null : 'the cluster has no DNS',
});
const SILENT: ClusterReadiness = { apiReady: false, nodes: [], dnsReady: null, reason: 'no response' };

describe('ReadinessWait', () => {
  /** Reports of the cluster. The last one is repeated. */
  let reports: ClusterReadiness[];
  let asked: number;
  const readiness = (): Promise<ClusterReadiness> =>
    Promise.resolve(reports[Math.min(asked++, reports.length - 1)] ?? SILENT);
  const wait = new ReadinessWait({ for: () => ({ readiness }) } as unknown as GatewaySelector);

  beforeEach(() => {
    asked = 0;
  });

  const waitFor = (impediments: Impediments, limits = {}): Promise<Unready | null> =>
    wait.wait(new FakeRuntime(), TARGET, { nodes: 2, impediments }, CONTEXT, { timeoutMs: 600, ...limits });

  it.each<[string, ClusterReadiness[], Impediments, Unready | null, number]>([
    ['ends when all is ready', [SILENT, state([true, true], true)], UNIMPEDED, null, 2],
    ['ends when all is ready in spite of the config', [state([true, true], true)], WITHOUT_CNI, null, 1],
    [
      'ends when all nodes of a cluster without CNI are registered',
      [SILENT, state([false], false), state([false, false], false)],
      WITHOUT_CNI,
      { reason: 'c-0 is not ready: no CNI', answered: true },
      3,
    ],
    [
      'ends when all but the DNS is ready',
      [state([true, false], false), state([true, true], false)],
      WITHOUT_DNS,
      { reason: 'the cluster has no DNS: no CoreDNS', answered: true },
      2,
    ],
  ])('%s', async (_, given, impediments, expected, calls) => {
    reports = given;
    expect(await waitFor(impediments)).toEqual(expected);
    expect(asked).toBe(calls);
  });

  it('gives parts that the user may have installed a grace', async () => {
    reports = [state([true, true], false), state([true, true], false), state([true, true], true)];
    expect(await waitFor(WITHOUT_DNS, { timeoutMs: 5000, graceMs: 2000 })).toBeNull();
  });

  it.each<[ClusterReadiness[], boolean]>([
    [[state([true, true], false)], true],
    [[state([true, true], false), SILENT], true],
    [[SILENT], false],
  ])('says at the end of its time whether the API server has responded', async (given, answered) => {
    reports = given;
    const unready = await waitFor(UNIMPEDED);
    expect(unready).toMatchObject({ answered });
    expect(unready?.reason).toMatch(/^c did not become ready within 0\.01 minutes: /);
  });
});
