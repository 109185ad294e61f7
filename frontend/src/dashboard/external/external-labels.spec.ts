import { describe, expect, it } from '@jest/globals';
import type { ContextDto } from '../../shared/api/api-types';
import { aCluster, anExternalCluster } from '../../shared/testing/records';
import {
  addSentences,
  allowQuestion,
  estimateSentences,
  isExternal,
  offeredContexts,
  offeredNamespaces,
  removeQuestion,
  requestedHistory,
  scopeText,
  shownState,
  stateSentence,
  storesLines,
} from './external-labels';

function aContext(change: Partial<ContextDto> = {}): ContextDto {
  return {
    context: 'prod',
    file: '/home/ada/.kube/config',
    shadowed: false,
    server: 'https://34.89.1.2',
    user: 'ada',
    namespace: null,
    distribution: null,
    plugin: null,
    problem: null,
    added_as: null,
    own_cluster: null,
    ...change,
  };
}

describe('external labels', () => {
  it('tells clusters of kubeconfigs from those of kind', () => {
    expect([isExternal(anExternalCluster()), isExternal(aCluster()), isExternal(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('shows an external cluster as running only while its problems are known', () => {
    expect(shownState(anExternalCluster({}, { state: 'running', problems: null }))).toBe('reachable');
    expect(shownState(anExternalCluster({}, { state: 'running', problems: 0 }))).toBe('running');
    expect(shownState(anExternalCluster({}, { state: 'unknown', problems: null }))).toBe('unknown');
    expect(shownState(aCluster({ state: 'running', problems: null }))).toBe('running');
  });

  it('offers contexts with a problem, but not added ones and clusters of kind', () => {
    const contexts = [
      aContext(),
      aContext({ context: 'broken', problem: 'It has no cluster.' }),
      aContext({ context: 'added', added_as: 'prod' }),
      aContext({ context: 'kind-staging', own_cluster: 'staging' }),
    ];
    expect(offeredContexts(contexts).map(({ context }) => context)).toEqual(['prod', 'broken']);
  });

  it('names cluster, context, server and user before changes are allowed, with invisible characters shown', () => {
    const { changes } = allowQuestion(anExternalCluster({ context: 'a\u202eb', user: null }));
    expect(changes).toEqual([
      'Cluster: prod',
      String.raw`Context: a\u202eb`,
      'Server: https://34.89.1.2',
      'User: –',
    ]);
  });

  it('keeps stored lines of a removed cluster by default, and says what stays', () => {
    const { option, text } = removeQuestion(anExternalCluster());
    expect(option.checked).toBe(false);
    expect(text[0]).toContain('/home/ada/.kube/config stay as they are');
    expect(removeQuestion(anExternalCluster({ file: null })).text[0]).toContain('kubeconfig that you pasted');
  });

  it('says what an added context contacts, and that a plugin waits for consent', () => {
    expect(addSentences(aContext())[1]).toBe('Then it contacts https://34.89.1.2.');
    expect(addSentences(aContext({ plugin: 'aws' }))[1]).toContain('only after you allow it');
    expect(addSentences(null)[0]).toContain('encrypted');
  });

  it('offers typed namespaces and that of the context only if the server does not list them', () => {
    const cluster = anExternalCluster({ namespace: 'shop', namespaces: ['bank'] });
    expect(offeredNamespaces(cluster, true)).toEqual(['shop', 'bank']);
    expect(offeredNamespaces(cluster, false)).toEqual([]);
    expect(offeredNamespaces(undefined, true)).toEqual([]);
  });

  it('writes the reason of the state as a sentence', () => {
    expect(stateSentence(aCluster({ state_reason: 'could not reach 10.0.0.1' }))).toBe(
      'Could not reach 10.0.0.1.',
    );
    expect(stateSentence(aCluster())).toBe('');
  });

  it('names Pods whose lines are stored, and requests them without an empty selector', () => {
    const history = [
      { namespace: 'shop', selector: null },
      { namespace: 'web', selector: 'app=web' },
    ];
    expect(history.map(scopeText)).toEqual(['shop', 'web (app=web)']);
    expect(requestedHistory(history)).toEqual([
      { namespace: 'shop' },
      { namespace: 'web', selector: 'app=web' },
    ]);
    const cluster = anExternalCluster({ history });
    expect(['web', 'other'].map((name) => storesLines(cluster, name))).toEqual([true, false]);
  });

  it.each([
    [{}, ['About 1,250 lines/s, 2.1 GB per day, at most 3.0 GB on disk for 7 days.']],
    [
      { lines_per_second: 0.4, sampled: 20 },
      [
        'About 0.4 lines/s, 2.1 GB per day, at most 3.0 GB on disk for 7 days.',
        'Measured in 20 of 80 containers.',
      ],
    ],
    [{ sampled: 0 }, ['Could not read the log of any of 80 containers.']],
    [{ containers: 0 }, ['No container runs there now. Slipway stores lines once one writes some.']],
  ])('describes the estimate %j', (change, sentences) => {
    const estimate = {
      containers: 80,
      sampled: 80,
      lines_per_second: 1249.6,
      bytes_per_day: 2_100_000_000,
      disk_bytes: 3_000_000_000,
      days: 7,
      ...change,
    };
    expect(estimateSentences(estimate)).toEqual(sentences);
  });
});
