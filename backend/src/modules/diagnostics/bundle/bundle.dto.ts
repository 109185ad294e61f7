import { Field, NestedField, QueryFlag } from '../../../core/api/index.js';

export class BundleFileDto {
  @Field({ example: 'clusters/shop@docker/cluster.yaml' })
  path!: string;

  @Field({ description: 'Content as it is saved', example: 'kind: Cluster\n' })
  text!: string;

  @Field({
    type: 'integer',
    minimum: 0,
    description: 'Number of values that were replaced in it',
    example: 3,
  })
  replaced!: number;
}

export class BundleContentDto {
  @NestedField(() => BundleFileDto, { isArray: true })
  files!: BundleFileDto[];
}

export class BundleQueryDto {
  @QueryFlag({ description: 'Save the files that were shown last, without collecting them again' })
  shown?: boolean;
}
