import type { EngineName } from '../transcripts/transcript.js';
import type { RealEngine } from '../transcripts/record-engine.js';

/**
 * The engines that the real suites run on, as their variables name them. One that was asked for and does
 * not answer fails its suite: nothing here looks whether it is there.
 */
export function realEngines(): RealEngine[] {
  const { env } = process;
  const nodeImage = env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0';
  const sockets: Record<EngineName, string> = {
    docker: (env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, ''),
    podman: env['APP_PODMAN_SOCKET'] ?? '/run/podman/podman.sock',
  };
  return (env['APP_TEST_ENGINES'] ?? 'docker,podman').split(',').map((name) => {
    const engine = name.trim();
    if (engine !== 'docker' && engine !== 'podman') {
      throw new Error(`APP_TEST_ENGINES names "${engine}"; it may name docker and podman`);
    }
    return { engine, socket: sockets[engine], nodeImage };
  });
}
