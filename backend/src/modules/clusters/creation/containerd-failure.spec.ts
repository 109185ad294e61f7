import { describe, expect, it } from '@jest/globals';
import { FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { containerdFailure } from './containerd-failure.js';

const START = 'time="2026-11-28T20:54:27Z" level=info msg="starting containerd" version="1.6.20"';
const SNAPSHOTTER =
  'time="2026-11-28T20:54:27Z" level=warning msg="failed to load plugin io.containerd.snapshotter.v1.blockfile" error="blockfile not configured"';
// Recorded in the nodes of case K16, with containerd 1.6.
const V1 =
  'time="2026-11-28T20:54:27Z" level=warning msg="failed to load plugin io.containerd.grpc.v1.cri" error="invalid plugin config: `mirrors` cannot be set when `config_path` is provided"';
// Not recorded: a logger that names the part in a field of its own.
const V2 =
  'time="2026-11-28T20:54:27Z" level=warning msg="failed to load plugin" error="invalid plugin config: `mirrors` cannot be set when `config_path` is provided" id=io.containerd.cri.v1.images type=io.containerd.cri.v1';
const REASON =
  'containerd of old-control-plane does not serve Kubernetes: invalid plugin config: `mirrors` cannot be set when `config_path` is provided';

// Case K16: registry mirrors in the style of containerd 1.x.
describe('containerdFailure', () => {
  class Nodes extends FakeRuntime {
    log: string | Error = '';

    override execInNode(): ReturnType<FakeRuntime['execInNode']> {
      if (this.log instanceof Error) return Promise.reject(this.log);
      return Promise.resolve({ exitCode: 0, stdout: this.log, stderr: '' });
    }
  }

  it.each<[string, string | Error, string | undefined]>([
    ['names the reason of containerd 1', [START, SNAPSHOTTER, V1].join('\n'), REASON],
    ['names the reason in another order of fields', [START, SNAPSHOTTER, V2].join('\n'), REASON],
    ['ignores parts that Kubernetes does not use', [START, SNAPSHOTTER].join('\n'), undefined],
    ['ignores a node that does not respond', new Error('not running'), undefined],
  ])('%s', async (_, log, reason) => {
    const runtime = new Nodes();
    runtime.nodes = [
      runningNode('other-control-plane', { cluster: 'other' }),
      runningNode('old-control-plane', { cluster: 'old' }),
    ];
    runtime.log = log;
    expect(await containerdFailure('old', runtime)).toBe(reason);
  });
});
