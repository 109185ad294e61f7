import { Field, NestedField } from '../../core/api/index.js';

export const TAG_ORIGINS = ['kind', 'local', 'registry'] as const;
export type TagOrigin = (typeof TAG_ORIGINS)[number];

export class NodeImageTagDto {
  @Field({ description: 'As POST /clusters takes it', example: 'v1.34.4' })
  tag!: string;

  @Field({ example: 'docker.io/kindest/node:v1.34.4' })
  image!: string;

  @Field({
    enum: TAG_ORIGINS,
    enumName: 'TagOrigin',
    description:
      '`kind`: made for the installed kind; `local`: found on this machine; `registry`: offered by the registry',
  })
  origin!: TagOrigin;

  @Field({
    type: [String],
    description: 'Runtimes that hold the image already: nothing to pull there',
    example: ['docker'],
  })
  present_in!: string[];

  @Field({
    type: Number,
    nullable: true,
    description: 'Unpacked size where it is known',
    example: 1388683921,
  })
  size_bytes!: number | null;
}

export class VersionsDto {
  @Field({
    type: String,
    nullable: true,
    description: 'The tag that fits best: what is here already and made for this kind comes first',
    example: 'v1.34.4',
  })
  default_tag!: string | null;

  @Field({ description: 'Name of what makes clusters here', example: 'kind' })
  provisioner!: string;

  @Field({ type: String, nullable: true, example: '0.33.0' })
  provisioner_version!: string | null;

  @NestedField(() => NodeImageTagDto, {
    isArray: true,
    description: 'Those on this machine first, then the newest',
  })
  tags!: NodeImageTagDto[];
}
