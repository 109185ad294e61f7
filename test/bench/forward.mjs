import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { ClusterOfPods } from './cluster-of-pods.mjs';
import { Figure, medianOf } from './figures.mjs';
import { ask, untilRunning } from './product.mjs';
import { until } from './until.mjs';

const BYTES = 1024 ** 3;
const CONNECTIONS = 100;
const PORT = 8000;
/** A web server with one large file. The image is in the node image of the tests. */
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'file', namespace: 'default' },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: 'busybox:1.36',
        imagePullPolicy: 'IfNotPresent',
        command: ['sh', '-c', `truncate -s ${BYTES} /tmp/file && exec httpd -f -p ${PORT} -h /tmp`],
        ports: [{ containerPort: PORT }],
      },
    ],
  },
};

/** Downloads of 1 GB through a port-forward and through kubectl in turns, and 100 connections at once. */
export async function forward({ engine = 'docker', pairs = 5 }) {
  const cluster = await ClusterOfPods.start(engine);
  let server;
  let kubectl;
  try {
    await cluster.kubectl('wait', '--for=create', 'serviceaccount/default', '--timeout=60s');
    const file = join(cluster.folder, 'pod.json');
    writeFileSync(file, JSON.stringify(POD));
    await cluster.kubectl('create', `--filename=${file}`);
    await cluster.kubectl('wait', '--for=condition=Ready', 'pod/file', '--timeout=120s');
    server = await BuiltServer.start({ APP_RUNTIME: engine });
    await untilRunning(server, cluster.name, engine);
    const target = { plural: 'pods', namespace: 'default', object: 'file', port: PORT };
    const forwards = `/clusters/${cluster.name}/forwards`;
    const { local_port: own, id } = await ask(server, 'POST', forwards, { ...target, protocol: 'tcp' });
    let printed = '';
    kubectl = spawn('kubectl', [
      `--kubeconfig=${cluster.kubeconfig}`,
      'port-forward',
      'pod/file',
      `:${PORT}`,
    ]);
    kubectl.stdout.on('data', (data) => (printed += data));
    kubectl.stderr.resume();
    await until(() => /127\.0\.0\.1:\d+/.test(printed), 'kubectl port-forward');
    const theirs = Number(/127\.0\.0\.1:(\d+)/.exec(printed)[1]);
    const times = { own: [], theirs: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      times.own.push(await download(own, BYTES));
      times.theirs.push(await download(theirs, BYTES));
    }
    const small = `GET /file HTTP/1.0\r\nRange: bytes=0-99999\r\n\r\n`;
    const results = await Promise.allSettled(
      Array.from({ length: CONNECTIONS }, () => download(own, 100_000, small)),
    );
    const rate = (milliseconds) => `${(BYTES / 1000 / medianOf(milliseconds)).toFixed(0)} MB/s`;
    await ask(server, 'DELETE', `${forwards}/${id}`);
    const page = await openPage((await ask(server, 'POST', forwards, { ...target, protocol: 'http' })).url);
    const pages = { own: [], theirs: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      pages.own.push(await download(page.port, BYTES, page.request));
      pages.theirs.push(await download(theirs, BYTES));
    }
    return [
      new Figure({
        title: `${engine}, 1 GB through the page of a port-forward: its time as a multiple of kubectl’s`,
        unit: '×',
        goal: 1,
        values: pages.own.map((time, index) => time / pages.theirs[index]),
        versus: `${rate(pages.own)}, kubectl ${rate(pages.theirs)}`,
      }),
      new Figure({
        title: `${engine}, 1 GB through a port-forward: its time as a multiple of kubectl’s`,
        unit: '×',
        goal: 1,
        values: times.own.map((time, index) => time / times.theirs[index]),
        versus: `${rate(times.own)}, kubectl ${rate(times.theirs)}`,
      }),
      new Figure({
        title: `${engine}, ${CONNECTIONS} connections through a port-forward at once: failed`,
        unit: 'connections',
        goal: 0,
        values: [results.filter(({ status }) => status === 'rejected').length],
        versus: results.find(({ reason }) => reason)?.reason.message,
      }),
    ];
  } finally {
    kubectl?.kill();
    await server?.stop();
    await cluster.stop();
  }
}

/** The port of a page, and a request for its file as a browser sends it after it has opened the link. */
async function openPage(link) {
  const { port, host, pathname, search } = new URL(link);
  const head = (path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${head(pathname + search)}\r\n`));
  let response = '';
  for await (const data of socket) response += data;
  const [, cookie] = /set-cookie: ([^;]+)/i.exec(response) ?? [];
  if (!cookie) throw new Error(`the link got the response ${response.slice(0, 200)}`);
  return { port: Number(port), request: `${head('/file')}Cookie: ${cookie}\r\n\r\n` };
}

/** Milliseconds of a download of so many bytes. @throws Error if fewer come */
async function download(port, bytes, request = 'GET /file HTTP/1.0\r\n\r\n') {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let received = 0;
  for await (const data of socket) received += data.length;
  if (received < bytes) throw new Error(`only ${received} of ${bytes} bytes came`);
  return performance.now() - began;
}
