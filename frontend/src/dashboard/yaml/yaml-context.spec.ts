import { describe, expect, it } from '@jest/globals';
import { yamlContextAt } from './yaml-context';

/** The bar marks the cursor. */
function at(text: string): string {
  const lines = text.split('\n');
  const line = lines.findIndex((entry) => entry.includes('|'));
  const column = lines[line]?.indexOf('|') ?? 0;
  const context = yamlContextAt(
    lines.map((entry) => entry.replace('|', '')),
    line,
    column,
  );
  if (!context) return 'nothing';
  const { path, key, present, from } = context;
  const word = lines[line]?.slice(from, column) ?? '';
  return `${path.join('.')} ${key === undefined ? 'key' : `value of ${key}`} "${word}" beside ${[...present].join(',')}`;
}

describe('yamlContextAt', () => {
  it.each([
    ['|', ' key "" beside '],
    ['kind: Cluster\nno|', ' key "no" beside kind'],
    ['ki|\nname: x\nnodes:\n- role: worker', ' key "ki" beside name,nodes'],
    ['kind: Cl|', ' value of kind "Cl" beside '],
    ['networking:\n  ip|\nnodes: []', 'networking key "ip" beside '],
    ['networking:\n  ipFamily: |', 'networking value of ipFamily "" beside '],
    ['nodes:\n  - ro|', 'nodes.[] key "ro" beside '],
    ['nodes:\n- ro|', 'nodes.[] key "ro" beside '],
    ['nodes:\n  - role: worker\n    im|', 'nodes.[] key "im" beside role'],
    ['nodes:\n- role: worker\n  im|\n- role: worker\n  labels: {}', 'nodes.[] key "im" beside role'],
    ['nodes:\n  - role: wo|', 'nodes.[] value of role "wo" beside '],
    [
      'nodes:\n- role: worker\n- role: control-plane\n  extraPortMappings:\n  - containerPort: 1\n    pro|',
      'nodes.[].extraPortMappings.[] key "pro" beside containerPort',
    ],
    [
      'nodes:\n  - extraMounts:\n      - hostPath: /a\n        read|\n    role: worker',
      'nodes.[].extraMounts.[] key "read" beside hostPath',
    ],
    ['nodes:\n  - role: worker\nnetworking:\n  # why\n\n  dis|', 'networking key "dis" beside '],
    ['nodes:\n  - role: worker\nfe|', ' key "fe" beside nodes'],
  ])('returns the context in %j', (text, expected) => {
    expect(at(text)).toBe(expected);
  });

  it.each(['# ki|', 'nodes: [{ ro|', 'name: "a|', 'kind:|', 'name: two wo|'])(
    'returns undefined in %j',
    (text) => {
      expect(at(text)).toBe('nothing');
    },
  );
});
