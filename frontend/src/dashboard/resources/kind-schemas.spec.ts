import { describe, expect, it } from '@jest/globals';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { findType } from './kind-schemas';

const type = (group: string, version: string, kind: string): ResourceTypeDto => ({
  group,
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
  verbs: [],
  short_names: [],
  custom: false,
});
const TYPES = [
  type('core', 'v1', 'Pod'),
  type('apps', 'v1', 'Deployment'),
  type('autoscaling', 'v2', 'Scaler'),
];

describe('findType', () => {
  it.each([
    [{ apiVersion: 'v1', kind: 'Pod' }, 'core/v1/pods'],
    [{ apiVersion: 'autoscaling/v1', kind: 'Scaler' }, 'autoscaling/v1/scalers'],
  ])('finds the type of %j', (head, expected) => {
    const { type: found } = findType(TYPES, head);
    expect(`${found?.group}/${found?.version}/${found?.plural}`).toBe(expected);
  });

  it.each([
    [{ apiVersion: 'v1', kind: 'Deployment' }, 'apiVersion', 'Deployment in v1. Did you mean apps/v1?'],
    [{ apiVersion: 'apps/v1', kind: 'Deploymet' }, 'kind', 'Deploymet in apps/v1. Did you mean Deployment?'],
    [{ apiVersion: 'shop.example/v1', kind: 'Gadget' }, 'kind', 'Gadget in shop.example/v1.'],
  ])('warns of %j', (head, field, message) => {
    expect(findType(TYPES, head)).toEqual({
      warning: { field, message: `The cluster does not serve ${message}` },
    });
  });

  it.each([{}, { kind: 'Pod' }, { apiVersion: 'v1' }, { apiVersion: 'v1', kind: 'List' }])(
    'expects no type for %j',
    (head) => {
      expect(findType(TYPES, head)).toEqual({});
    },
  );
});
