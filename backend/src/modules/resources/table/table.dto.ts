import { Matches } from 'class-validator';
import { OptionalText, QueryInteger, RuntimeQueryDto } from '../../../core/api/index.js';
import { NAMESPACE_NAME } from '../../../core/security/index.js';
import { NamespacesQueryDto } from '../common/resource-parameters.js';
import { PAGE_TOKEN } from './page-token.js';

const MAX_ROWS = 1000;

/** Characters of selectors. The API server validates the syntax. */
const LABEL_SELECTOR = /^[A-Za-z0-9_./\-=!,() ]*$/;
const FIELD_SELECTOR = /^[A-Za-z0-9_./\-=!,:@+ ]*$/;

export class TypesQueryDto extends RuntimeQueryDto {
  @OptionalText({
    description: 'Namespace for which `forbidden` is, by default that of the context',
    example: 'shop',
  })
  @Matches(NAMESPACE_NAME, { message: 'must be a valid namespace name, such as shop' })
  namespace?: string;
}

export class TableQueryDto extends NamespacesQueryDto {
  @QueryInteger({ description: 'Rows per page', minimum: 1, maximum: MAX_ROWS, default: 100 })
  limit: number = 100;

  @OptionalText({ description: '`continue` of the previous page' })
  @Matches(PAGE_TOKEN, { message: 'is not a valid page token' })
  continue?: string;

  @OptionalText({ description: 'As in `kubectl get -l`', example: 'app=web,tier!=db', maxLength: 1000 })
  @Matches(LABEL_SELECTOR, { message: 'is not a valid label selector' })
  label_selector?: string;

  @OptionalText({
    description: 'As in `kubectl get --field-selector`',
    example: 'status.phase=Running',
    maxLength: 1000,
  })
  @Matches(FIELD_SELECTOR, { message: 'is not a valid field selector' })
  field_selector?: string;

  @OptionalText({ description: 'Part of the name; case-insensitive', example: 'web', maxLength: 253 })
  search?: string;
}
