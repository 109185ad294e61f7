import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import { brokenSince, graceOf } from './problem-times.js';

const SEEN = Date.parse('2026-11-21T10:00:00Z');
const object = (kind: string, fields: object, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'web', creationTimestamp: '2026-11-20T08:00:00Z', ...metadata },
  ...fields,
});
const conditions = (...found: [type: string, status: string, time: string][]): object => ({
  status: {
    conditions: found.map(([type, status, time]) => ({
      type,
      status,
      lastTransitionTime: `2026-11-21T${time}Z`,
    })),
  },
});

describe('brokenSince', () => {
  it.each([
    ['a Deployment', object('Deployment', conditions(['Available', 'False', '09:30:00'])), '09:30:00'],
    ['a failed Job', object('Job', conditions(['Failed', 'True', '09:10:00'])), '09:10:00'],
    [
      'a condition that is met',
      object('Pod', conditions(['Ready', 'True', '09:00:00'], ['PodScheduled', 'True', '08:59:00'])),
      '10:00:00',
    ],
    ['a time of another clock', object('Pod', conditions(['Ready', 'False', '11:00:00'])), '10:00:00'],
    ['a Service', object('Service', { spec: { selector: { app: 'web' } } }), '10:00:00'],
    [
      'a deleted object',
      object('Pod', {}, { deletionTimestamp: '2026-11-21T09:45:00Z', creationTimestamp: undefined }),
      '09:45:00',
    ],
  ])('reads the time of %s', (_what, given, time) => {
    expect(new Date(brokenSince(given, SEEN)).toISOString()).toBe(`2026-11-21T${time}.000Z`);
  });

  it('is the creation of an object that reports nothing else', () => {
    expect(new Date(brokenSince(object('PersistentVolumeClaim', {}), SEEN)).toISOString()).toBe(
      '2026-11-20T08:00:00.000Z',
    );
  });
});

describe('graceOf', () => {
  it('waits while a Pod may only be starting, and not for what is final', () => {
    expect(graceOf('scheduling_constraint', object('Pod', { status: { phase: 'Pending' } }))).toBe(30_000);
    expect(graceOf('insufficient_resources', object('Pod', { status: { phase: 'Failed' } }))).toBe(0);
    expect(graceOf('volume_claim_unbound', object('PersistentVolumeClaim', {}))).toBe(0);
    expect(graceOf('image_pull', object('Pod', {}))).toBe(0);
  });
});
