import { Matches } from 'class-validator';
import { Field, Flag, NestedField, NullableField, OptionalText, Text } from '../../../core/api/index.js';
import { NAMESPACE_NAME } from '../../../core/security/index.js';
import { CHANGE_OUTCOMES, type ChangeOutcome } from '../change/change.dto.js';
import { BlockErrorDto } from '../../resources/index.js';

export class ApplyDto {
  @Text({
    description: 'One or more documents, separated by `---`. Lists are expanded',
    example:
      'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
  })
  yaml!: string;

  @OptionalText({ default: 'default', description: 'Namespace for namespaced objects without one' })
  @Matches(NAMESPACE_NAME, { message: 'must be a valid namespace name, such as shop' })
  namespace?: string;

  @Flag({ description: 'The cluster validates the objects without storing them' })
  dry_run?: boolean;

  @Flag({ description: 'Take over fields of other managers instead of failing with a conflict' })
  force?: boolean;
}

/** One object of the request. Fields that could not be read are null. */
export class AppliedDocumentDto {
  @Field({ description: 'Position in the request, from 1', example: 1 })
  index!: number;

  @Field({ description: 'First line, from 1', example: 1 })
  line!: number;

  @NullableField(String, { description: '`core` for the core group', example: 'core' })
  group!: string | null;

  @NullableField(String, { example: 'v1' })
  version!: string | null;

  @NullableField(String, {
    description: 'Null if the cluster does not serve the kind',
    example: 'configmaps',
  })
  plural!: string | null;

  @NullableField(String, { example: 'ConfigMap' })
  kind!: string | null;

  @NullableField(String, { example: 'shop' })
  namespace!: string | null;

  @NullableField(String, { example: 'settings' })
  name!: string | null;

  @Field({ enum: CHANGE_OUTCOMES, enumName: 'ChangeOutcome' })
  outcome!: ChangeOutcome;

  @NullableField(String, {
    description: 'YAML; null if the object did not exist',
    example: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
  })
  before!: string | null;

  @NullableField(String, {
    description: 'YAML; null if the document failed',
    example: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
  })
  after!: string | null;

  @Field({ type: [String] })
  warnings!: string[];

  @NestedField(() => BlockErrorDto, { nullable: true, description: 'Why it failed' })
  error!: BlockErrorDto | null;

  @NullableField(Number, { description: 'Line of the error, if the error names a field', example: null })
  error_line!: number | null;
}

export class AppliedDto {
  @Field()
  dry_run!: boolean;

  @Field({ type: [String], description: 'Notes on the whole request, such as a changed order of documents' })
  notes!: string[];

  @NestedField(() => AppliedDocumentDto, {
    isArray: true,
    description: 'In the order of the request',
  })
  documents!: AppliedDocumentDto[];
}
