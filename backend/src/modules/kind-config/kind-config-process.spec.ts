import { describe, expect, it } from '@jest/globals';
import { MAX_ON_MAIN_THREAD } from '../../core/work/index.js';
import { parseKindConfig } from './parse-kind-config.js';
import { kindConfigYaml } from './kind-config-process.js';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

function linesOf(length: number, line: (index: number) => string): string {
  const lines: string[] = [];
  for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) lines.push(line(lines.length));
  return lines.join('');
}

describe('kindConfigYaml with texts above the limit', () => {
  it('is required: the functions throw', () => {
    expect(() => parseKindConfig(`${HEAD}# ${'x'.repeat(MAX_ON_MAIN_THREAD)}`)).toThrow('in a work process');
  });

  it('parses a config with all its problems', async () => {
    const text = HEAD + linesOf(99_000, (index) => `${index}k:\n`);
    const { problems } = await kindConfigYaml.parseKindConfig(text);
    expect(problems).toHaveLength(50);
    expect(problems[0]).toEqual({
      path: '0k',
      line: 3,
      column: 1,
      problem: 'is an unknown field',
    });
  });

  it('rejects a mount of the data folder', async () => {
    const mount = `nodes:\n- role: control-plane\n  extraMounts:\n  - {hostPath: /own, containerPath: /a}\n`;
    const text = `${HEAD}${mount}# ${'x'.repeat(20_000)}`;
    expect((await kindConfigYaml.parseKindConfig(text, undefined, '/own')).problems).toMatchObject([
      { line: 6 },
    ]);
  });

  it('completes and clones a config', async () => {
    const text = `# first\n${HEAD}nodes:\n- role: control-plane\n  extraPortMappings:\n${linesOf(
      60_000,
      (index) => `  - {containerPort: 80, hostPort: ${2000 + index}}\n`,
    )}`;
    const { parsed } = await kindConfigYaml.parseKindConfig(text);
    if (!parsed) throw new Error('not parsed');
    const completed = await kindConfigYaml.completeKindConfig(parsed, 'large', 'kindest/node:v1');
    expect(completed.text).toMatch(/^# first\n[^]*\nname: large\nnodes:\n/);
    expect(completed.config.nodes?.[0]?.image).toBe('kindest/node:v1');
    const move = {
      where: 'nodes[0].extraPortMappings[1].hostPort',
      address: '',
      protocol: 'TCP',
      from: 2001,
      to: 9999,
      reason: '',
    };
    expect(await kindConfigYaml.cloneKindConfig(text, 'copy', [move])).toContain('hostPort: 9999');
  });

  it('reads a kubeadm config', async () => {
    const documents =
      'kind: ClusterConfiguration\nnetworking: {podSubnet: 10.1.0.0/16}\n---\nkind: InitConfiguration\n';
    const text = `${documents}skipPhases:\n${linesOf(200_000, (index) => `- phase-${index}\n`)}`;
    expect(await kindConfigYaml.readKubeadmConfig(text, true)).toMatchObject({ podSubnet: '10.1.0.0/16' });
  });
});
