import { describe, expect, it } from '@jest/globals';
import { checkImages } from './image-check.js';

const web = {
  id: 'sha256:1',
  references: ['docker.io/shop/web:1.4.0', 'docker.io/library/nginx:latest'],
  size_bytes: 1,
  part_of_kubernetes: false,
  nodes: ['one', 'two'],
};
const api = { ...web, id: 'sha256:2', references: ['docker.io/shop/api:dev'], nodes: ['two'] };
const nodes = ['one', 'two'].map((name) => ({ name, reason: null }));

describe('checkImages', () => {
  it.each([
    ['an image by its short name', 'shop/web:1.4.0', [], ''],
    ['an image without a tag', 'nginx', [], ''],
    ['an image that one node lacks', 'shop/api:dev', [], 'one does not have shop/api:dev'],
    ['an image that no node has', 'shop/web:2', ['shop/web:2'], 'Load the image first'],
    ['a digest', `nginx@sha256:${'0'.repeat(64)}`, [], 'by its digest'],
  ])('compares %s with those of the nodes', (_what, image, missing, warning) => {
    const check = checkImages([image], { nodes, images: [web, api] });
    expect([check.missing, check.warnings.length]).toEqual([missing, warning === '' ? 0 : 1]);
    expect(check.warnings.join()).toContain(warning);
  });

  it('says which nodes could not be read, and finds nothing missing if that were all', () => {
    const unread = nodes.map(({ name }) => ({ name, reason: 'the node is paused' }));
    expect(checkImages(['shop/web:2'], { nodes: unread, images: [] })).toEqual({
      missing: [],
      warnings: ['Could not check the images of one (the node is paused), two (the node is paused).'],
    });
  });
});
