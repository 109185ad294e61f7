import { Field, QueryFlag, RuntimeQueryDto } from '../../../core/api/index.js';

export class LabelsQueryDto extends RuntimeQueryDto {
  @QueryFlag({ description: 'The cluster validates the labels without storing them' })
  dry_run?: boolean;
}

export class AppliedLabelsDto {
  @Field({ type: [String], description: 'Nodes whose labels the config changes', example: ['shop-worker'] })
  nodes!: string[];

  @Field({ description: 'YAML of the labels of each of them', example: 'shop-worker:\n  tier: one\n' })
  before!: string;

  @Field({ example: 'shop-worker:\n  disk: ssd\n' })
  after!: string;

  @Field({ example: 'Changed the labels of 1 node.' })
  message!: string;

  @Field({ type: [String] })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}
