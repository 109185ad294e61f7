import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readProject } from '../../../backend/src/core/config/project.js';
import { freePort } from '../free-port.js';
import type { ProxiedPath } from './path-proxy.js';

const environment = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };
const TLS = join(readProject().root, 'test', 'fixtures', 'tls');

export const hasNginx = spawnSync('nginx', ['-v'], { env: environment }).status === 0;

/** nginx with TLS and the configuration of docs/proxy.md. */
export async function startNginx(
  [dashboard, board]: readonly [ProxiedPath, ProxiedPath],
  removesPath: boolean,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-nginx-'));
  const port = await freePort();
  const documented =
    /```nginx\n([\s\S]+?)```/.exec(readFileSync(join(readProject().root, 'docs', 'proxy.md'), 'utf8'))?.[1] ??
    '';
  const end = removesPath ? '/;' : ';';
  const site = documented
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace('/etc/nginx/tls/example.com.crt', join(TLS, 'first.crt'))
    .replace('/etc/nginx/tls/example.com.key', join(TLS, 'first.key'))
    .replace('127.0.0.1:8080;', `127.0.0.1:${dashboard.port}${end}`)
    .replace('127.0.0.1:9001;', `127.0.0.1:${board.port}${end}`)
    .replace('/slipway/', `${dashboard.path}/`)
    .replace('/slipway-logs/', `${board.path}/`);
  // cspell:ignore uwsgi scgi -- names of nginx
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; events {}\nhttp { access_log off; ${folders.join(' ')}\n${site}}`,
  );
  const child = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', file], { env: environment });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let left = 100; left > 0; left -= 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return { port, stop };
    await delay(50);
  }
  await stop();
  throw new Error(`nginx did not start: ${log}`);
}
