import { describe, expect, it } from '@jest/globals';
import { ENGINE_NAMES, readTranscript } from '../../../../test/transcripts/transcript.js';
import { kindSteps, stepOfLine } from './kind-steps.js';

const SHAPE = { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false };

describe('kind’s steps', () => {
  it.each(ENGINE_NAMES)('are announced by the real kind on %s just as they are foretold', (engine) => {
    const run = readTranscript(engine).kind.find(
      ({ situation, args }) => situation === 'creating' && args[0] === 'create',
    );
    const announced = run?.output.flatMap(({ text }) => stepOfLine(text) ?? []);
    expect(announced).toEqual(kindSteps(SHAPE).map(({ name }) => name));
  });

  it('follow the shape', () => {
    const names = (more: Partial<typeof SHAPE>): string[] =>
      kindSteps({ ...SHAPE, ...more }).map(({ name }) => name);
    expect(names({ workers: 0, withoutDefaultNetwork: true })).toEqual([
      'ensuring-node-image',
      'preparing-nodes',
      'writing-configuration',
      'starting-control-plane',
      'installing-storage-class',
    ]);
    expect(names({ controlPlanes: 3 })).toEqual([
      'ensuring-node-image',
      'preparing-nodes',
      'configuring-load-balancer',
      'writing-configuration',
      'starting-control-plane',
      'installing-cni',
      'installing-storage-class',
      'joining-control-planes',
      'joining-workers',
    ]);
  });

  it('have a weight and a title each', () => {
    for (const step of kindSteps({ ...SHAPE, controlPlanes: 3 })) {
      expect(step.weight).toBeGreaterThan(0);
      expect(step.title).not.toBe('');
    }
  });

  it.each([
    [' • Preparing nodes 📦 📦   ...', 'preparing-nodes'],
    ['• Joining more control-plane nodes 🎮  ...', 'joining-control-planes'],
    [' ✓ Preparing nodes 📦 📦 ', undefined],
    [' ✗ Starting control-plane 🕹️', undefined],
    [' • Waiting ≤ 5m0s for control-plane = Ready ⏳ ...', undefined],
    ['Preparing nodes', undefined],
    ['ERROR: failed • Preparing nodes', undefined],
    ['', undefined],
  ])('begin with their bullet alone: %j', (line, step) => {
    expect(stepOfLine(line)).toBe(step);
  });
});
