import { describe, expect, it } from '@jest/globals';
import { errorResponses } from '../../backend/src/core/api/error-responses.js';
import { fileVariableOf, secretFileExample } from '../../backend/src/core/config/secret-files.js';
import { variables } from '../../backend/src/core/config/variables.js';
import { errorCodes } from '../../backend/src/core/errors/error-codes.js';
import { CATALOG } from '../../backend/src/modules/addons/catalog/catalog.js';
import { renderDocuments } from '../support/docs/render-documents.js';
import { textOf } from './source-tree.js';

/** Without the alignment of columns, which Prettier adds. */
function unaligned(markdown: string): string {
  return markdown.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
}

describe('generated documentation', () => {
  const product = { variables, fileVariableOf, secretFileExample, errorCodes, errorResponses, CATALOG };

  it.each([...renderDocuments(product, textOf)])(
    '%s is current (after a change: npm run docs)',
    (file, text) => {
      expect(unaligned(textOf(file))).toBe(unaligned(text));
    },
  );
});
