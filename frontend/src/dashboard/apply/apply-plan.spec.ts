import { describe, expect, it } from '@jest/globals';
import type { AppliedDocumentDto } from '../../shared/api/api-types';
import { planOf, titleOf, withFile } from './apply-plan';

function document(change: Partial<AppliedDocumentDto>): AppliedDocumentDto {
  return {
    index: 1,
    line: 1,
    group: 'core',
    version: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    namespace: 'shop',
    name: 'settings',
    outcome: 'created',
    before: null,
    after: '',
    warnings: [],
    error: null,
    ...change,
  };
}

const REFUSED = document({
  index: 3,
  line: 14,
  outcome: 'failed',
  error: { code: 'resource_conflict', message: 'kubectl holds .data' },
});

describe('what a text would do to a cluster', () => {
  it('is a sentence of counts, with the places of what is refused', () => {
    const plan = planOf([document({}), document({ outcome: 'unchanged' }), REFUSED], true);
    expect(plan).toEqual({
      sentence: '3 documents: 1 to be created, 1 unchanged, 1 refused',
      changes: 1,
      failed: 1,
      conflicts: true,
      problems: [{ path: 'ConfigMap settings:', line: 14, column: 1, problem: 'kubectl holds .data' }],
    });
    expect(planOf([document({}), document({ outcome: 'configured' })], false).sentence).toBe(
      '2 documents: 1 created, 1 changed',
    );
  });

  it('is no conflict where it is refused for another reason', () => {
    const error = { code: 'resource_refused', message: 'no' };
    expect(planOf([document({ outcome: 'failed', error })], true).conflicts).toBe(false);
  });

  it('names what cannot be read by its place', () => {
    expect(titleOf(document({ index: 2, kind: null, name: null }))).toBe('Document 2');
  });
});

describe('a file that is dropped', () => {
  it.each([
    ['', '# web.yaml\nkind: Pod\n'],
    ['kind: Service\n', 'kind: Service\n---\n# web.yaml\nkind: Pod\n'],
    ['kind: Service\n---\n', 'kind: Service\n---\n# web.yaml\nkind: Pod\n'],
  ])('goes below %j as a document of its own', (text, expected) => {
    expect(withFile(text, { name: 'web.yaml', text: '\uFEFF---\nkind: Pod\n' })).toBe(expected);
  });
});
