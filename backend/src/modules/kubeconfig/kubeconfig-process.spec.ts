import { describe, expect, it } from '@jest/globals';
import { kubeconfigYaml } from './kubeconfig-process.js';

function linesOf(length: number, line: (index: number) => string): string {
  const lines: string[] = [];
  for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) lines.push(line(lines.length));
  return lines.join('');
}

describe('kubeconfigYaml with texts above the limit', () => {
  it('reads and changes a kubeconfig', async () => {
    const contexts = linesOf(
      100_000,
      (index) => `- context: {cluster: c${index}, user: u${index}}\n  name: n${index}\n`,
    );
    const text = `apiVersion: v1\nkind: Config\ncontexts:\n${contexts}current-context: n1\n`;
    const read = await kubeconfigYaml.readUserKubeconfig(text);
    expect(read).toMatchObject({ currentContext: 'n1' });
    const changed = await kubeconfigYaml.changeUserKubeconfig(text, [
      { type: 'remove', context: 'n1' },
      { type: 'leave', context: 'n1' },
    ]);
    expect(changed).not.toContain('name: n1\n');
    expect(changed).toContain('name: n2\n');
    await expect(kubeconfigYaml.readUserKubeconfig(`${text}kind: Secret\n`)).rejects.toMatchObject({
      code: 'kubeconfig_unusable',
      message: 'it is not a kubeconfig',
    });
  });
});
