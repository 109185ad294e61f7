import { describe, expect, it } from '@jest/globals';
import type { ClusterDto, RecreationCheckDto } from '../../shared/api/api-types';
import { aCluster } from '../../shared/testing/records';
import { obstacle, questionBeforeDeletion, questionBeforeRecreation, questionBeforeStop } from './questions';

describe('the question before a deletion', () => {
  it('names containers and files, and counts what it does not name', () => {
    const { nodes } = aCluster();
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...nodes[0],
      name: `node-${index}`,
    })) as ClusterDto['nodes'];
    const { losses, text } = questionBeforeDeletion(aCluster({ nodes: many }));
    expect(losses?.[0]).toBe(
      '8 containers in docker: node-0, node-1, node-2, node-3, node-4, node-5 and 2 more',
    );
    expect(losses?.at(-1)).toBe('Its saved config, provision log and kubeconfig');
    expect(text.join(' ')).not.toContain('outside Slipway');
  });

  it('says of an adopted cluster that others lose it too', () => {
    const { losses, text } = questionBeforeDeletion(aCluster({ origin: 'adopted' }));
    expect(text.join(' ')).toContain('made outside Slipway');
    expect(losses?.join(' ')).not.toContain('saved config');
  });
});

describe('the question before a cluster is made anew', () => {
  const check: RecreationCheckDto = {
    acceptable: true,
    problems: [],
    warnings: ['memory is tight'],
    losses: {
      containers: ['staging-control-plane', 'staging-worker'],
      volumes: ['0f3a'],
      pods: null,
      volume_claims: null,
      summary: 'Lost with the old nodes.',
    },
    becomes: { control_planes: 1, workers: 3, node_image_tag: 'v1.34.4' },
  };

  it('names what is lost, what it becomes, and that the config stays', () => {
    const question = questionBeforeRecreation(aCluster(), check);
    expect(question?.title).toBe('Recreate staging?');
    expect(question?.text.join(' ')).toContain(
      'created again from its saved config with 1 control plane and 3 workers',
    );
    expect(question?.text.join(' ')).toContain('Memory is tight.');
    expect(question?.losses).toEqual([
      'All workloads that run in staging, and the data in them',
      '2 containers in docker: staging-control-plane, staging-worker',
      '1 volume: 0f3a',
    ]);
  });

  it.each([
    [3, 1, '3 pods and 1 volume claim in staging, with all data'],
    [1, 0, '1 pod in staging, with all data'],
    [0, 0, 'All data in staging; no pods but its own are there'],
  ])('counts %d pods and %d claims where the cluster tells', (pods, volume_claims, line) => {
    const losses = { ...check.losses, pods, volume_claims };
    expect(questionBeforeRecreation(aCluster(), { ...check, losses })?.losses?.[0]).toBe(line);
  });

  it('says that it is the changed config', () => {
    expect(questionBeforeRecreation(aCluster({ config_changed: true }), check)?.title).toBe(
      'Start staging with its new config?',
    );
  });

  it('is not asked where nothing is lost', () => {
    const nothing = { ...check, losses: { ...check.losses, containers: [], volumes: [], summary: null } };
    expect(questionBeforeRecreation(aCluster({ state: 'missing', nodes: [] }), nothing)).toBeUndefined();
  });
});

describe('what stands in the way of making a cluster anew', () => {
  it.each([
    ['nodes[0].image', 'is not an image', 'Nodes[0].image is not an image.'],
    ['config', 'is not valid YAML', 'Config is not valid YAML.'],
    [
      'config',
      'The saved config of staging is gone. Save a config first.',
      'The saved config of staging is gone. Save a config first.',
    ],
    [
      'cluster',
      'staging is busy: job 7 (stop) is at work on it.',
      'Staging is busy: job 7 (stop) is at work on it.',
    ],
    ['runtime', 'docker does not answer.', 'Docker does not answer.'],
  ])('is a sentence: %s, %s', (field, problem, sentence) => {
    expect(obstacle(aCluster(), { field, problem, line: null, column: null })).toBe(sentence);
  });
});

describe('the question before a stop', () => {
  it('is asked of a cluster that others may count on, alone', () => {
    expect(questionBeforeStop(aCluster())).toBeUndefined();
    expect(questionBeforeStop(aCluster({ origin: 'adopted' }))?.text.join(' ')).toContain(
      'somebody else may be using it',
    );
  });
});
