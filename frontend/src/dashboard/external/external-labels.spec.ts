import { describe, expect, it } from '@jest/globals';
import type { ContextDto } from '../../shared/api/api-types';
import { aCluster, anExternalCluster } from '../../shared/testing/records';
import {
  addSentences,
  allowQuestion,
  isExternal,
  offeredContexts,
  offeredNamespaces,
  removeQuestion,
  stateSentence,
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
});
