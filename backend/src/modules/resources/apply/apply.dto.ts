import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Matches } from 'class-validator';
import { Field, NestedField, Optional } from '../../../core/api/index.js';
import { NAMESPACE_NAME } from '../../../core/security/index.js';
import { CHANGE_OUTCOMES, type ChangeOutcome } from '../change/change.dto.js';
import { BlockErrorDto } from '../resource.dto.js';

export class ApplyDto {
  @ApiProperty({
    description: 'One document or many, between lines of `---`; lists are taken apart',
    example:
      'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
  })
  @IsString({ message: 'must be text' })
  yaml!: string;

  @ApiPropertyOptional({
    default: 'default',
    description: 'Where documents go that name no namespace, of kinds that have one',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a namespace, such as shop' })
  namespace?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Everything is checked by the cluster, and nothing is kept',
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;

  @ApiPropertyOptional({
    default: false,
    description: 'Takes over fields that another manager holds, which are a conflict otherwise',
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  force?: boolean;
}

/** One object of what was sent. What could not be read of it is null. */
export class AppliedDocumentDto {
  @Field({ description: 'Counted from 1, in the order in which they were sent', example: 1 })
  index!: number;

  @Field({ description: 'Where it begins, counted from 1', example: 1 })
  line!: number;

  @Field({ type: String, nullable: true, description: '`core` for the core group', example: 'core' })
  group!: string | null;

  @Field({ type: String, nullable: true, example: 'v1' })
  version!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Null where the cluster does not serve the kind',
    example: 'configmaps',
  })
  plural!: string | null;

  @Field({ type: String, nullable: true, example: 'ConfigMap' })
  kind!: string | null;

  @Field({ type: String, nullable: true, example: 'shop' })
  namespace!: string | null;

  @Field({ type: String, nullable: true, example: 'settings' })
  name!: string | null;

  @Field({ enum: CHANGE_OUTCOMES, enumName: 'ChangeOutcome' })
  outcome!: ChangeOutcome;

  @Field({
    type: String,
    nullable: true,
    description: 'YAML; null of what was not there',
    example: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
  })
  before!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'YAML; null of what failed',
    example: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
  })
  after!: string | null;

  @Field({ isArray: true, type: String })
  warnings!: string[];

  @NestedField(() => BlockErrorDto, { nullable: true, description: 'Why it failed' })
  error!: BlockErrorDto | null;
}

export class AppliedDto {
  @Field()
  dry_run!: boolean;

  @Field({
    isArray: true,
    type: String,
    description:
      'Said of the whole, such as that documents were applied in another order than they were sent',
  })
  notes!: string[];

  @NestedField(() => AppliedDocumentDto, {
    isArray: true,
    description: 'In the order in which they were sent',
  })
  documents!: AppliedDocumentDto[];
}
