import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import type { ForwardDto, StartForwardDto } from '../../../backend/src/modules/forwards/forwards.dto.js';
import { openForward } from '../../support/forward-page.js';
import { waitFor } from '../../support/wait-for.js';
import type { RealCluster } from '../support/real-cluster.js';

/** A web server that returns what it receives. */
const ECHO = `apiVersion: apps/v1
kind: Deployment
metadata: {name: echo, namespace: default}
spec:
  selector: {matchLabels: {app: echo}}
  template:
    metadata: {labels: {app: echo}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: busybox:1.36
          imagePullPolicy: IfNotPresent
          command:
            - sh
            - -c
            - |
              mkdir -p /tmp/cgi-bin
              printf '#!/bin/sh\\nprintf "Content-Type: text/plain\\\\n\\\\n"\\nexec cat\\n' > /tmp/cgi-bin/echo
              chmod +x /tmp/cgi-bin/echo
              exec httpd -f -p 7000 -h /tmp
          ports: [{name: echo, containerPort: 7000}]
`;

/** Sends data and receives it while the rest is sent. */
async function echoed({ local_port: port }: ForwardDto, data: Buffer): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /cgi-bin/echo HTTP/1.0\r\nContent-Length: ${data.length}\r\n\r\n`);
  socket.write(data);
  const received: Buffer[] = [];
  for await (const piece of socket as AsyncIterable<Buffer>) received.push(piece);
  const response = Buffer.concat(received);
  return response.subarray(response.indexOf('\n\n') + 2);
}

export function testForwards(cluster: RealCluster): void {
  const forwards = `/clusters/${cluster.name}/forwards`;
  const start = async (request: StartForwardDto): Promise<ForwardDto> => {
    const { status, body } = await cluster.product.call<ForwardDto>('POST', forwards, request);
    expect([status, body]).toMatchObject([201, {}]);
    return body;
  };
  const startEcho = (): Promise<ForwardDto> =>
    start({ plural: 'deployments', namespace: 'default', object: 'echo', port: 'echo', protocol: 'tcp' });

  beforeAll(async () => {
    await cluster.serviceAccount();
    await cluster.product.call('POST', `/clusters/${cluster.name}/resources/apply`, { yaml: ECHO });
    await cluster.kubectl('rollout', 'status', 'deployment/echo', '--timeout=90s');
  });

  it('forwards 10 MB of random data unchanged in both directions', async () => {
    const data = randomBytes(10_000_000);
    expect((await echoed(await startEcho(), data)).equals(data)).toBe(true);
    const { body } = await cluster.product.call<ForwardDto[]>('GET', forwards);
    expect(body[0]).toMatchObject({ state: 'ready', state_reason: null, protocol: 'tcp' });
    expect(body[0]?.bytes_from_pod).toBeGreaterThanOrEqual(data.length);
  });

  it('forwards 100 connections at once', async () => {
    const forward = await startEcho();
    const sent = Array.from({ length: 100 }, () => randomBytes(20_000));
    // The server in the Pod queues nine connections; the kernel resets others on a busy machine.
    const again = (error: unknown, data: Buffer, left: number): Promise<Buffer> => {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      return echoed(forward, data).catch((next: unknown) => again(next, data, left - 1));
    };
    const received = await Promise.all(
      sent.map((data) => echoed(forward, data).catch((error: unknown) => again(error, data, 3))),
    );
    expect(received.filter((data, index) => !data.equals(sent[index] ?? data))).toEqual([]);
  });

  it('forwards again within 5 s after a new Pod is ready', async () => {
    const forward = await startEcho();
    await cluster.kubectl('delete', 'pod', forward.pod ?? '', '--grace-period=0', '--force');
    await cluster.kubectl('rollout', 'status', 'deployment/echo', '--timeout=60s');
    const ready = performance.now();
    const data = randomBytes(1000);
    const isBack = (): Promise<boolean> =>
      echoed(forward, data).then(
        (received) => received.equals(data),
        () => false,
      );
    await waitFor(isBack, 'the new Pod', 10_000);
    expect(performance.now() - ready).toBeLessThan(5000);
  });

  it('serves the page of an HTTPS port over HTTP', async () => {
    const object = `kube-apiserver-${cluster.nodes[0]}`;
    const { url, protocol } = await start({ plural: 'pods', namespace: 'kube-system', object, port: '6443' });
    expect(protocol).toBe('https');
    expect((await openForward(url ?? '', '/livez')).text).toBe('ok');
  });

  it('stops and forgets all of them', async () => {
    const { body } = await cluster.product.call<ForwardDto[]>('GET', forwards);
    expect(body).toHaveLength(2);
    for (const { id } of body) await cluster.product.call('DELETE', `${forwards}/${id}`);
    expect((await cluster.product.call('GET', forwards)).body).toEqual([]);
    await cluster.kubectl('delete', 'deployment', 'echo');
  });
}
