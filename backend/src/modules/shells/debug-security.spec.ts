import { describe, expect, it } from '@jest/globals';
import { debugContexts } from './debug-security.js';

const RESTRICTED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const TRACE = { add: ['SYS_PTRACE'] };

/** The contexts for a debug container beside `c`. */
const contexts = (ofPod: object | undefined, ofTarget: object | undefined, user?: object): object[] =>
  JSON.parse(
    JSON.stringify(
      debugContexts(
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p' },
          spec: {
            securityContext: ofPod,
            containers: [
              { name: 'other', securityContext: { runAsUser: 7 } },
              { name: 'c', securityContext: ofTarget },
            ],
          },
          status: { containerStatuses: [{ name: 'c', user: { linux: user } }] },
        },
        'c',
      ),
    ),
  ) as object[];

describe('the security context of a debug container', () => {
  it.each([
    ['none', undefined, undefined, [{ capabilities: TRACE }, {}]],
    [
      'the user of the Pod, which is inherited',
      { runAsNonRoot: true, runAsUser: 65532 },
      RESTRICTED,
      [{ ...RESTRICTED, capabilities: { drop: ['ALL'], ...TRACE } }, RESTRICTED],
    ],
    [
      'the user of the container',
      { runAsNonRoot: true },
      { runAsUser: 1000, runAsGroup: 2000 },
      [
        { runAsUser: 1000, runAsGroup: 2000, capabilities: TRACE },
        { runAsUser: 1000, runAsGroup: 2000 },
      ],
    ],
    [
      'a user other than root that only the image names',
      { runAsUser: undefined, runAsNonRoot: true },
      {},
      [{ runAsUser: 65532, capabilities: TRACE }, { runAsUser: 65532 }],
    ],
    [
      'root, although the Pod forbids it',
      { runAsNonRoot: true },
      { runAsNonRoot: false },
      [{ runAsNonRoot: false, capabilities: TRACE }, { runAsNonRoot: false }],
    ],
    [
      'what a policy may require, and no privileges',
      {},
      {
        privileged: true,
        procMount: 'Unmasked',
        readOnlyRootFilesystem: true,
        seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
        capabilities: { add: ['NET_ADMIN'] },
      },
      [
        {
          seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
          capabilities: { add: ['NET_ADMIN', 'SYS_PTRACE'] },
        },
        {
          readOnlyRootFilesystem: true,
          seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
          capabilities: { add: ['NET_ADMIN'] },
        },
      ],
    ],
  ])('comes from a target with %s', (_, ofPod, ofTarget, expected) => {
    expect(contexts(ofPod, ofTarget)).toEqual(expected);
  });

  it('takes the user that the node reports where root or the capability is forbidden', () => {
    const user = { uid: 101, gid: 102 };
    const same = { runAsUser: 101, runAsGroup: 102 };
    expect(contexts({ runAsNonRoot: true }, {}, user)).toEqual([{ ...same, capabilities: TRACE }, same]);
    expect(contexts({}, {}, user)).toEqual([{ capabilities: TRACE }, same]);
  });
});
