import { describe, expect, it } from '@jest/globals';
import { explainPull } from './pull-failure.js';

const NODE = 'docker.io/kindest/node:v1.37.0';

describe('explainPull', () => {
  it.each([
    [
      NODE,
      'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 10.0.0.1:53: no such host',
      'docker.io cannot be reached (name not found).',
    ],
    [NODE, 'manifest unknown', 'docker.io has no such image. Check its name and tag.'],
    [
      'localhost:5000/web@sha256:0',
      'unauthorized: authentication required',
      'localhost:5000 does not allow it. Check the name of the image, or sign in with docker login localhost:5000.',
    ],
    [
      'web',
      'toomanyrequests: You have reached your pull rate limit',
      'docker.io limits the pulls from this address for now. Try again later, or sign in with docker login docker.io.',
    ],
    [NODE, 'no space left on device', 'The disk of docker is full. Remove images that you do not need.'],
    [NODE, 'something else', 'something else.'],
    [
      NODE,
      'no match for platform in manifest: not found',
      'docker.io has it only for other platforms. Check its name and tag.',
    ],
    ['denied:429', 'no match for denied:429', 'no match for denied:429.'],
  ])('of %s explains %s', (reference, message, sentence) => {
    expect(explainPull(reference, message, 'docker')).toBe(`docker could not pull ${reference}: ${sentence}`);
  });
});
