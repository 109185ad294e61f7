import { describe, expect, it } from '@jest/globals';
import { ENGINE_NAMES, readTranscript } from '../../../../test/transcripts/transcript.js';
import { isStepLine, kindSteps, stepOfLine } from './kind-steps.js';

const SHAPE = { controlPlanes: 1, workers: 1, withoutDefaultNetwork: false };

describe('kindSteps', () => {
  it.each(ENGINE_NAMES)('lists the steps that kind on %s prints', (engine) => {
    const run = readTranscript(engine).kind.find(
      ({ situation, args }) => situation === 'creating' && args[0] === 'create',
    );
    const announced = run?.output.flatMap(({ text }) => stepOfLine(text) ?? []);
    expect(announced).toEqual(kindSteps(SHAPE).map(({ name }) => name));
  });

  it('depends on the shape', () => {
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

  it('returns a weight and a title for each step', () => {
    for (const step of kindSteps({ ...SHAPE, controlPlanes: 3 })) {
      expect(step.weight).toBeGreaterThan(0);
      expect(step.title).not.toBe('');
    }
  });
});

describe('isStepLine', () => {
  it.each([
    [' • Preparing nodes 📦 📦   ...', true],
    [' ✓ Preparing nodes 📦 📦 ', true],
    [' ✗ Starting control-plane 🕹️', false],
    [' • Waiting ≤ 5m0s for control-plane = Ready ⏳ ...', false],
    ['Creating cluster "shop" ...', false],
  ])('reads the line %j', (line, expected) => {
    expect(isStepLine(line)).toBe(expected);
  });
});

describe('stepOfLine', () => {
  it.each([
    [' • Preparing nodes 📦 📦   ...', 'preparing-nodes'],
    ['• Joining more control-plane nodes 🎮  ...', 'joining-control-planes'],
    [' ✓ Preparing nodes 📦 📦 ', undefined],
    [' ✗ Starting control-plane 🕹️', undefined],
    [' • Waiting ≤ 5m0s for control-plane = Ready ⏳ ...', undefined],
    ['Preparing nodes', undefined],
    ['ERROR: failed • Preparing nodes', undefined],
    ['', undefined],
  ])('reads the line %j', (line, step) => {
    expect(stepOfLine(line)).toBe(step);
  });
});
