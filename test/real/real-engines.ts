import type { RealEngine } from '../transcripts/record-engine.js';
import type { EngineName } from '../transcripts/transcript.js';
import { engines } from './support/engines.js';

/** The engines to test, their sockets, and the node image. */
export function realEngines(): RealEngine[] {
  const { env } = process;
  const nodeImage = env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0';
  const sockets: Record<EngineName, string> = {
    docker: (env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, ''),
    podman: env['APP_PODMAN_SOCKET'] ?? '/run/podman/podman.sock',
  };
  return engines.map((engine) => ({ engine, socket: sockets[engine], nodeImage }));
}
