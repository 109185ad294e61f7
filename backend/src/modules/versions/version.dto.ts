import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { TAG_FITS, type TagFit } from '../../drivers/provisioner/index.js';
import { LOOKUP_STATES, type RegistryLookup } from './registry-tags.js';

const TAG_ORIGINS = ['kind', 'local', 'registry'] as const;
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

  @NullableField(Number, { description: 'Unpacked size where it is known', example: 1388683921 })
  size_bytes!: number | null;

  @Field({
    enum: TAG_FITS,
    enumName: 'TagFit',
    description:
      'Whether it will work with the installed kind: `likely` was made for it, `unlikely` is outside the versions that it was made for, `unknown` lies between',
  })
  fits!: TagFit['fits'];

  @NullableField(String, {
    description: 'Why it may not',
    example: 'is newer than v1.37, the newest for kind 0.33.0; it may not start',
  })
  fits_reason!: string | null;
}

export class RegistryLookupDto {
  @Field({ example: 'docker.io/kindest/node' })
  repository!: string;

  @Field({
    enum: LOOKUP_STATES,
    enumName: 'RegistryLookupState',
    description:
      '`reading`: being asked for the first time, its tags come with a later answer; `unreachable`: what is listed was known before; `off`: not asked',
  })
  state!: RegistryLookup['state'];

  @NullableField(String, {
    description: 'Why it was not reached',
    example: 'docker.io did not respond in time.',
  })
  reason!: string | null;

  @NullableField(String, { description: 'When its tags were read', example: '2026-11-21T09:40:48.102Z' })
  read_at!: string | null;
}

export class VersionsDto {
  @NullableField(String, {
    description: 'The tag that fits best: what is here already and made for this kind comes first',
    example: 'v1.34.4',
  })
  default_tag!: string | null;

  @Field({ description: 'Name of what makes clusters here', example: 'kind' })
  provisioner!: string;

  @NullableField(String, { example: '0.33.0' })
  provisioner_version!: string | null;

  @NestedField(() => RegistryLookupDto, { description: 'How the registry’s tags were come by' })
  registry!: RegistryLookupDto;

  @NestedField(() => NodeImageTagDto, {
    isArray: true,
    description: 'Those on this machine first, then the newest',
  })
  tags!: NodeImageTagDto[];
}
