import { describe, expect, it } from '@jest/globals';
import type { MapNodeDto } from '../../shared/api/api-types';
import { placeNodes } from './map-layout';

const node = (kind: string, name: string): MapNodeDto => ({
  ...{ group: 'core', version: 'v1', plural: '', kind, namespace: 'shop', name },
  ...{ exists: true, health: 'ok', reason: null },
});

describe('placeNodes', () => {
  it('places each kind below the one that leads to it, and at most three side by side', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name) => node('Pod', name));
    const { boxes, height } = placeNodes([node('Service', 'web'), node('Deployment', 'web'), ...pods]);
    expect(boxes.map(({ top }) => top)).toEqual([0, 72, 144, 144, 144, 194]);
    expect(height).toBe(238);
    expect(boxes.every(({ left, width }) => left >= 0 && left + width <= 100)).toBe(true);
  });

  it('has no height without nodes', () => {
    expect(placeNodes([])).toEqual({ boxes: [], height: 0 });
  });
});
