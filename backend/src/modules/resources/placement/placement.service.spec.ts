import { describe, expect, it } from '@jest/globals';
import { memoryRequestOf } from './placement.service.js';

const MI = 2 ** 20;

function container(name: string, memory?: string, more: object = {}): object {
  return { name, resources: { requests: memory === undefined ? { cpu: '1' } : { memory } }, ...more };
}

describe('memoryRequestOf', () => {
  it.each<[string, object, number]>([
    ['no requests', { containers: [container('web')] }, 0],
    ['all containers', { containers: [container('web', '64Mi'), container('proxy', '32Mi')] }, 96 * MI],
    [
      'an init container that needs more',
      { containers: [container('web', '64Mi')], initContainers: [container('migrate', '1Gi')] },
      1024 * MI,
    ],
    [
      'a sidecar',
      {
        containers: [container('web', '64Mi')],
        initContainers: [container('proxy', '32Mi', { restartPolicy: 'Always' })],
      },
      96 * MI,
    ],
    ['an invalid quantity', { containers: [container('web', 'much')] }, 0],
  ])('counts %s', (_, spec, bytes) => {
    expect(memoryRequestOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec })).toBe(bytes);
  });
});
