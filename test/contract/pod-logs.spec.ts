import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { ApiServerGateway } from '../../backend/src/drivers/kubernetes/api-server-gateway.js';
import { ClusterKubeconfig } from '../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';
import { ConnectionPodLogs } from '../../backend/src/drivers/kubernetes/connection-pod-logs.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { targetOf } from '../support/engine/target-of.js';
import { DEMO_TARGET, makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { PreparedConnection } from '../support/prepared-connection.js';
import { podLogsContract } from './ports/pod-logs.contract.js';

const IMAGE = 'shop/worker:latest';

describe('pod logs of the demo', () => {
  podLogsContract(async () => {
    const { gateway, remove } = await makeDemoCluster();
    return {
      logs: await gateway.podLogs(DEMO_TARGET),
      resources: await gateway.resources(DEMO_TARGET),
      image: IMAGE,
      stop: remove,
    };
  });

  it('end when the cluster stops', async () => {
    const { gateway, remove } = await makeDemoCluster();
    const logs = await gateway.podLogs(DEMO_TARGET);
    const following = logs.followPods(() => undefined, AbortSignal.timeout(10_000));
    const broken = expect(following).rejects.toMatchObject({ code: 'cluster_unreachable' });
    await remove();
    await broken;
  });
});

/** The same server at the other end of a wire, as a real one is. */
describe('pod logs over TLS', () => {
  podLogsContract(async () => {
    const { world, remove } = await makeDemoCluster();
    const api = await ScriptedApiServer.start();
    api.behind = world.apiServer('demo');
    const gateway = new ApiServerGateway();
    return {
      logs: await gateway.podLogs(targetOf(api)),
      resources: await gateway.resources(targetOf(api)),
      image: IMAGE,
      stop: async () => {
        gateway.forget('demo', 'docker');
        await api.stop();
        await remove();
        expect(api.unexpected).toEqual([]);
      },
    };
  });
});

it('pod logs share one connection per set of credentials', async () => {
  const { world, remove } = await makeDemoCluster();
  const api = await ScriptedApiServer.start();
  api.behind = world.apiServer('demo');
  const gateway = new ApiServerGateway();
  const target = targetOf(api);
  const { clusters, users, ...rest } = parse((target.kubeconfig as ClusterKubeconfig).text) as Record<
    string,
    unknown
  >;
  const written = ClusterKubeconfig.parse(
    stringify({ users, ...rest, preferences: {}, clusters }, { defaultStringType: 'QUOTE_DOUBLE' }),
  );
  const ending = new AbortController();
  let broke = false;
  const following = (await gateway.podLogs(target))
    .followPods(() => undefined, ending.signal)
    .catch(() => (broke = true));
  try {
    for (const kubeconfig of [written, target.kubeconfig]) {
      await (await gateway.resources({ ...target, kubeconfig })).types();
    }
    await delay(200);
    expect(broke).toBe(false);
  } finally {
    ending.abort();
    await following;
    gateway.forget('demo', 'docker');
    await api.stop();
    await remove();
  }
});

describe('pod log responses', () => {
  const PATH = '/api/v1/namespaces/shop/pods/web/log?container=web&follow=true&timestamps=true&tailLines=10';
  const TIME = '2026-11-22T13:35:05.123456789Z ';

  const read = async (chunks: Buffer[]): Promise<string[]> => {
    const connection = new PreparedConnection({});
    connection.logs[PATH] = chunks;
    const logs = new ConnectionPodLogs('demo', connection);
    const texts: string[] = [];
    const start = { container: 'web', previous: false, since: null, tail: 10 };
    const pod = { namespace: 'shop', name: 'web' };
    for await (const batch of logs.open(pod, start, AbortSignal.timeout(5000))) {
      for (const { data, time } of batch) texts.push(`${time} ${data.toString()}`);
    }
    return texts;
  };

  it('are joined however they are split', async () => {
    const whole = Buffer.from(`${TIME}one\n${TIME}\n${TIME}two\n`);
    const expected = ['1795354505123456 one\n', '1795354505123456 \n', '1795354505123456 two\n'];
    expect(await read([whole])).toEqual(expected);
    for (let cut = 1; cut < whole.length; cut += 1) {
      const pieces = await read([whole.subarray(0, cut), whole.subarray(cut)]);
      // A line that is cut goes on in the next piece.
      expect(pieces.map((piece) => piece.replace(/^\d+ /, '')).join('')).toBe('one\n\ntwo\n');
    }
  });

  it('report that a kubelet has lost a log', async () => {
    const lost = 'unable to retrieve container logs for containerd://0123456789abcdef';
    await expect(read([Buffer.from(lost)])).rejects.toMatchObject({
      code: 'log_unreadable',
      message: expect.stringContaining(lost) as unknown,
    });
  });
});
