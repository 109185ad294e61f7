import { describe, expect, it } from '@jest/globals';
import { fullReference, fullRepository } from './image-reference.js';

describe('fullReference', () => {
  it.each([
    ['app', 'docker.io/library/app:latest'],
    ['app:dev', 'docker.io/library/app:dev'],
    ['shop/web:1.4.0', 'docker.io/shop/web:1.4.0'],
    ['docker.io/app:dev', 'docker.io/library/app:dev'],
    ['index.docker.io/library/app:dev', 'docker.io/library/app:dev'],
    ['localhost/app:dev', 'localhost/app:dev'],
    ['localhost:5000/app', 'localhost:5000/app:latest'],
    ['registry.k8s.io/coredns/coredns:v1.12.4', 'registry.k8s.io/coredns/coredns:v1.12.4'],
    [`app@sha256:${'0'.repeat(64)}`, `docker.io/library/app@sha256:${'0'.repeat(64)}`],
    [`app:dev@sha256:${'0'.repeat(64)}`, `docker.io/library/app@sha256:${'0'.repeat(64)}`],
  ])('%s is %s', (given, whole) => expect(fullReference(given)).toBe(whole));

  it('is the same for every spelling of a repository', () => {
    const spellings = ['kindest/node', 'docker.io/kindest/node', 'index.docker.io/kindest/node'];
    expect(new Set(spellings.map(fullRepository))).toEqual(new Set(['docker.io/kindest/node']));
  });
});
