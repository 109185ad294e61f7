import { describe, expect, it } from '@jest/globals';
import { cloneKindConfig, parseKindConfig } from '../../kind-config/index.js';
import type { ClaimedPort } from '../preflight/claimed-ports.js';
import type { PortMoveDto } from './clone.dto.js';
import { movePorts } from './port-moves.js';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

async function move(
  ports: readonly string[],
  claimed: readonly Partial<ClaimedPort>[],
  taken: readonly number[] = [],
): Promise<{ moves: PortMoveDto[]; text: string }> {
  const mappings = ports.map((port) => `  - {containerPort: 80, ${port}}`).join('\n');
  const { parsed } = parseKindConfig(
    `${HEAD}nodes:\n- role: control-plane\n  extraPortMappings:\n${mappings}\n`,
  );
  if (!parsed) throw new Error('invalid config');
  const moves = await movePorts(
    parsed.config,
    claimed.map((port) => ({
      address: '127.0.0.1',
      port: 0,
      protocol: 'TCP',
      owner: { name: 'other', runtime: 'docker' },
      held: true,
      ...port,
    })),
    (port) => Promise.resolve(!taken.includes(port.port)),
  );
  return { moves, text: cloneKindConfig(parsed.text, 'copy', moves) };
}

describe('movePorts', () => {
  it('keeps free ports', async () => {
    const { moves } = await move(['hostPort: 8080', 'hostPort: 0'], [{ port: 9090 }]);
    expect(moves).toEqual([]);
  });

  it('skips ports of clusters, of other programs, and of the config itself', async () => {
    const { moves, text } = await move(
      ['hostPort: 8080', 'hostPort: 8083'],
      [{ port: 8080 }, { port: 8081 }],
      [8082],
    );
    expect(moves.map(({ from, to, reason }) => [from, to, reason])).toEqual([[8080, 8084, 'other uses it']]);
    expect(text).toContain('hostPort: 8084');
    expect(text).toContain('hostPort: 8083');
  });

  it('moves 80 to 8080 and 443 to 8443', async () => {
    const { moves } = await move(['hostPort: 80', 'hostPort: 443'], [{ port: 80 }, { port: 443 }]);
    expect(moves.map(({ to }) => to)).toEqual([8080, 8443]);
  });

  it('moves a port only if address and protocol conflict', async () => {
    const here = 'hostPort: 8080, listenAddress: 127.0.0.1';
    expect((await move([here], [{ port: 8080, address: '127.0.0.2' }])).moves).toEqual([]);
    expect((await move([here], [{ port: 8080, protocol: 'UDP' }])).moves).toEqual([]);
    expect((await move([here], [{ port: 8080, address: '0.0.0.0' }])).moves).toHaveLength(1);
  });
});
