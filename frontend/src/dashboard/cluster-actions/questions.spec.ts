import { describe, expect, it } from '@jest/globals';
import type { ClusterDto, RecreationCheckDto } from '../../shared/api/api-types';
import { aCluster } from '../../shared/testing/records';
import { deleteQuestion, problemSentence, recreateQuestion, stopQuestion } from './questions';

describe('deleteQuestion', () => {
  it('names up to six containers and the saved files', () => {
    const { nodes } = aCluster();
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...nodes[0],
      name: `node-${index}`,
    })) as ClusterDto['nodes'];
    const { losses, text } = deleteQuestion(aCluster({ nodes: many }));
    expect(losses?.[0]).toBe(
      '8 containers in docker: node-0, node-1, node-2, node-3, node-4, node-5 and 2 more',
    );
    expect(losses?.at(-1)).toBe('Its saved config, provision log and kubeconfig');
    expect(text.join(' ')).not.toContain('outside Slipway');
  });

  it('warns that others may use an adopted cluster', () => {
    const { losses, text } = deleteQuestion(aCluster({ origin: 'adopted' }));
    expect(text.join(' ')).toContain('created outside Slipway');
    expect(losses?.join(' ')).not.toContain('saved config');
  });
});

describe('recreateQuestion', () => {
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
    changes: ['worker gets label disk=ssd'],
    labels_only: true,
    becomes: { control_planes: 1, workers: 3, node_image_tag: 'v1.34.4' },
  };

  it('lists the losses, the new nodes and the warnings', () => {
    const question = recreateQuestion(aCluster(), check);
    expect(question?.title).toBe('Recreate staging?');
    expect(question?.text.join(' ')).toContain('1 control plane and 3 workers');
    expect(question?.text.join(' ')).toContain('Memory is tight.');
    expect(question?.losses).toEqual([
      'All workloads of staging and their data',
      '2 containers in docker: staging-control-plane, staging-worker',
      '1 volume: 0f3a',
    ]);
  });

  it.each([
    [3, 1, '3 pods and 1 volume claim in staging, with all data'],
    [1, 0, '1 pod in staging, with all data'],
    [0, 0, 'All data in staging (system Pods only)'],
  ])('counts %d pods and %d volume claims', (pods, volume_claims, line) => {
    const losses = { ...check.losses, pods, volume_claims };
    expect(recreateQuestion(aCluster(), { ...check, losses })?.losses?.[0]).toBe(line);
  });

  it('mentions a changed config in the title', () => {
    expect(recreateQuestion(aCluster({ config_changed: true }), check)?.title).toBe(
      'Start staging with its new config?',
    );
  });

  it('is undefined if nothing is lost', () => {
    const nothing = { ...check, losses: { ...check.losses, containers: [], volumes: [], summary: null } };
    expect(recreateQuestion(aCluster({ state: 'missing', nodes: [] }), nothing)).toBeUndefined();
  });
});

describe('problemSentence', () => {
  it.each([
    ['nodes[0].image', 'is not an image', 'Nodes[0].image is not an image.'],
    ['config', 'is not valid YAML', 'Config is not valid YAML.'],
    ['config', 'staging has no saved config. Save one.', 'Staging has no saved config. Save one.'],
    ['config', 'The saved config is gone. Save one.', 'The saved config is gone. Save one.'],
    ['cluster', 'busy: job 7 (stop) is running.', 'Busy: job 7 (stop) is running.'],
    ['runtime', 'docker does not respond.', 'Docker does not respond.'],
  ])('formats the problem of %s: %s', (field, problem, sentence) => {
    expect(problemSentence(aCluster(), { field, problem, line: null, column: null })).toBe(sentence);
  });
});

describe('stopQuestion', () => {
  it('asks only before an adopted cluster is stopped', () => {
    expect(stopQuestion(aCluster())).toBeUndefined();
    expect(stopQuestion(aCluster({ origin: 'adopted' }))?.text.join(' ')).toContain('others may use it');
  });
});
