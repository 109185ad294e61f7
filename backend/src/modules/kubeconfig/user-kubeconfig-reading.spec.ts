import { describe, expect, it } from '@jest/globals';
import { recordedKubeconfigs } from '../../../../test/support/kubernetes/kubeconfig-corpus.js';
import { DomainError } from '../../core/errors/index.js';
import { changeUserKubeconfig, readUserKubeconfig } from './user-kubeconfig-document.js';

describe('readUserKubeconfig', () => {
  const SECRET = 'c2VjcmV0LWtleQ';
  const cases: [what: string, text: string, reason: string | RegExp][] = [
    [
      'a wrong indentation',
      `kind: Config\nusers: [\n- name: ${SECRET}\n`,
      /^line \d has a wrong indentation$/,
    ],
    ['an unclosed quote', `kind: Config\nusers:\n- name: "${SECRET}\n`, /^line \d/],
    [
      'a duplicate name',
      `kind: Config\nusers:\n- {name: a, user: {token: ${SECRET}}}\n- {name: b}\n- {name: a}\n`,
      /^users has the name a more than once: line 3, line 5\. kubectl cannot read such a file\./,
    ],
    [
      'a number as text',
      `kind: Config\nusers: [{name: 1e3, user: {token: ${SECRET}}}]\n`,
      'line 2: users[0].name must be text',
    ],
    ['a tab', `kind: Config\nusers:\n\t- name: ${SECRET}\n`, /^line 3 /],
    ['a list', `- ${SECRET}\n`, 'it is not a kubeconfig'],
    ['a scalar', SECRET, 'it is not a kubeconfig'],
    ['another kind', `kind: Secret\ndata: {x: ${SECRET}}\n`, 'it is not a kubeconfig'],
    ['a map in place of a list', `kind: Config\nusers: {${SECRET}: 1}\n`, 'line 2: users must be a list'],
    ['entries without a name', `kind: Config\nusers: [${SECRET}]\n`, 'line 2: users[0] must be a map'],
    ['binary data', `kind: Config\n# ${SECRET} \ufffd\n`, 'it is not UTF-8'],
    ['deep nesting', `kind: Config\nx: ${'['.repeat(6000)}`, 'line 2 nests too deeply'],
    [
      'an alias bomb',
      `kind: Config\na: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n`,
      /line 7 has an alias/,
    ],
    ['an undefined alias', `kind: Config\nusers: *${SECRET}\n`, 'line 2 has an alias'],
  ];

  it.each(cases)('rejects %s with the line and without the text', (_what, text, reason) => {
    const merge = (): string => changeUserKubeconfig(text, [{ type: 'leave', context: 'a' }]);
    expect(merge).toThrow(reason);
    expect(merge).not.toThrow(SECRET);
  });
});

describe('readUserKubeconfig compared with kubectl', () => {
  const { results } = recordedKubeconfigs();
  /** kubectl reads the first object. */
  const REFUSED_ONLY_HERE = ['JSON objects in a row'];

  it('has at least 40 recorded results', () => {
    expect(results.length).toBeGreaterThanOrEqual(40);
  });

  it.each(results.map((result) => [result.name, result] as const))(
    'has the same verdict and the same values: %s',
    (name, { text, read: known }) => {
      if (!known || REFUSED_ONLY_HERE.includes(name)) {
        expect(() => readUserKubeconfig(text)).toThrow(DomainError);
      } else {
        const { contexts, currentContext, names } = readUserKubeconfig(text);
        const endpoints = contexts.map(({ name: context, server, authority }) => [
          context,
          server ?? '',
          (authority ?? '').trim(),
        ]);
        const expected = Object.entries(known.contexts);
        expect(currentContext).toBe(known.current);
        expect(endpoints.sort()).toEqual(
          expected.map(([context, [, , ...endpoint]]) => [context, ...endpoint]).sort(),
        );
        const used = expected.flatMap(([context, [cluster, user]]) => [context, cluster, user]);
        expect(new Set(names)).toEqual(new Set(used.filter((each) => each !== '')));
      }
    },
  );
});
