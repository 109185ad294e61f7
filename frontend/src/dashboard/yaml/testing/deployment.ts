import type { Schema } from '../json-schema';

const CONTAINER: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the container.' },
    image: { type: 'string' },
    own: { $ref: '#/$defs/io.k8s.api.core.v1.Container' },
  },
  required: ['name'],
  additionalProperties: false,
};

/** A schema as the API server publishes it, with few fields. */
export const DEPLOYMENT: Schema = {
  $ref: '#/$defs/io.k8s.api.apps.v1.Deployment',
  $defs: {
    'io.k8s.api.apps.v1.Deployment': {
      type: 'object',
      properties: {
        apiVersion: { type: 'string', examples: ['apps/v1', 'v1'] },
        kind: { type: 'string', examples: ['Deployment', 'Pod'] },
        spec: { $ref: '#/$defs/io.k8s.api.apps.v1.DeploymentSpec', description: 'What to run.' },
      },
      additionalProperties: false,
    },
    'io.k8s.api.apps.v1.DeploymentSpec': {
      type: 'object',
      properties: {
        containers: { type: 'array', items: { $ref: '#/$defs/io.k8s.api.core.v1.Container' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        modes: { type: 'array', items: { type: 'string', enum: ['ReadWrite', 'ReadOnly'] } },
        open: {},
        paused: { type: 'boolean' },
        policy: { type: 'string', enum: ['', 'Always', 'Never'] },
        replicas: { type: 'integer', format: 'int32' },
        surge: { type: ['integer', 'string'] },
        text: { type: 'string' },
        'wrong: name': { type: 'string' },
      },
      additionalProperties: false,
    },
    'io.k8s.api.core.v1.Container': CONTAINER,
  },
};
