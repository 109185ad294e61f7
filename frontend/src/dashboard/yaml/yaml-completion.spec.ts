import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from '@jest/globals';
import { DEPLOYMENT } from './testing/deployment';
import { completeFrom } from './yaml-completion';
import { documentAround, headOf } from './yaml-documents';

const complete = completeFrom(() => ({
  of: ({ kind }) => Promise.resolve(kind === 'Other' ? undefined : { schema: DEPLOYMENT }),
}));

/** @param text with a bar at the cursor */
async function labels(text: string): Promise<string[]> {
  const pos = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', '') });
  const result = await complete(new CompletionContext(state, pos, true));
  const options = [...(result?.options ?? [])].sort((one, other) => (other.boost ?? 0) - (one.boost ?? 0));
  return options.map(({ label, detail }) => (detail === undefined ? label : `${label} (${detail.trim()})`));
}

describe('completeFrom', () => {
  it.each([
    ['|', ['apiVersion (string)', 'kind (string)', 'spec (DeploymentSpec)']],
    ['kind: Deployment\nsp|', ['apiVersion (string)', 'spec (DeploymentSpec)']],
    ['apiVersion: ap|', ['apps/v1', 'v1']],
    ['kind: |', ['Deployment', 'Pod']],
    ['spec:\n  paused: |', ['true', 'false']],
    ['spec:\n  policy: |', ['Always', 'Never']],
    ['spec:\n  modes:\n  - |', ['ReadWrite', 'ReadOnly']],
    ['spec:\n  containers:\n  - image: a\n    |', ['name (string, required)', 'own (Container)']],
    [
      'kind: Other\n---\nkind: Deployment\nspec:\n  containers:\n  - na|\n---\nimage: a',
      ['name (string, required)', 'image (string)', 'own (Container)'],
    ],
    ['kind: Other\n|', []],
    ['spec:\n  labels:\n    |', []],
    ['spec:\n  toString:\n    |', []],
  ])('completes %j', async (text, expected) => {
    expect(await labels(text)).toEqual(expected);
  });

  it('shows types of fields, and offers only keys that need no quotes', async () => {
    expect(await labels('spec:\n  |')).toEqual([
      'containers ([]Container)',
      'labels (object)',
      'modes ([]string)',
      'open',
      'paused (boolean)',
      'policy (string)',
      'replicas (integer)',
      'surge (integer | string)',
      'text (string)',
    ]);
  });
});

describe('documentAround', () => {
  it('returns the lines between separators', () => {
    const { doc } = EditorState.create({ doc: 'a: 1\n---\nb: 2\n---x\nc: 3\n...\n' });
    expect(documentAround(doc, 1)).toEqual({ first: 1, lines: ['a: 1'] });
    expect(documentAround(doc, 4)).toEqual({ first: 3, lines: ['b: 2', '---x', 'c: 3'] });
  });
});

describe('headOf', () => {
  it('reads apiVersion and kind of the root', () => {
    expect(headOf('# kind: A\nkind: "Pod" # why\nspec:\n  apiVersion: v2\napiVersion: v1\nkind: B')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
    });
    expect(headOf('kind:\napiVersion: ')).toEqual({});
  });
});
