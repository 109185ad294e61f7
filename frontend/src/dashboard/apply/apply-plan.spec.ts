import { describe, expect, it } from '@jest/globals';
import type { AppliedDocumentDto } from '../../shared/api/api-types';
import { appendFile, planOf, titleOf } from './apply-plan';

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
    error_line: null,
    ...change,
  };
}

const REFUSED = document({
  index: 3,
  line: 8,
  error_line: 14,
  outcome: 'failed',
  error: { code: 'resource_conflict', message: 'kubectl holds .data' },
});

describe('planOf', () => {
  it('counts the outcomes and locates the rejected documents', () => {
    const plan = planOf([document({}), document({ outcome: 'unchanged' }), REFUSED], true);
    expect(plan).toEqual({
      sentence: '3 documents: 1 to create, 1 unchanged, 1 rejected',
      changes: 1,
      failed: 1,
      conflicts: true,
      problems: [{ path: 'ConfigMap settings:', line: 14, column: 1, problem: 'kubectl holds .data' }],
    });
    expect(planOf([document({}), document({ outcome: 'configured' })], false).sentence).toBe(
      '2 documents: 1 created, 1 changed',
    );
  });

  it('reports no conflict for other errors', () => {
    const error = { code: 'resource_refused', message: 'no' };
    expect(planOf([document({ outcome: 'failed', error })], true).conflicts).toBe(false);
  });

  it('names a document that cannot be parsed by its position', () => {
    expect(titleOf(document({ index: 2, kind: null, name: null }))).toBe('Document 2');
  });
});

describe('appendFile', () => {
  it.each([
    ['', '# web.yaml\nkind: Pod\n'],
    ['kind: Service\n', 'kind: Service\n---\n# web.yaml\nkind: Pod\n'],
    ['kind: Service\n---\n', 'kind: Service\n---\n# web.yaml\nkind: Pod\n'],
  ])('appends a file after %j as a new document', (text, expected) => {
    expect(appendFile(text, { name: 'web.yaml', text: '\uFEFF---\nkind: Pod\n' })).toBe(expected);
  });
});
