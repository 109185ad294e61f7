import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { TAG_FITS, type TagFit } from '../../drivers/provisioner/index.js';
import { LOOKUP_STATES, type RegistryLookup } from './registry-tags.js';

const TAG_ORIGINS = ['kind', 'local', 'registry'] as const;
export type TagOrigin = (typeof TAG_ORIGINS)[number];

export class NodeImageTagDto {
  @Field({ description: 'As in POST /clusters', example: 'v1.34.4' })
  tag!: string;

  @Field({ example: 'docker.io/kindest/node:v1.34.4' })
  image!: string;

  @Field({
    enum: TAG_ORIGINS,
    enumName: 'TagOrigin',
    description: '`kind`: built for the installed kind; `local`: on the host; `registry`: in the registry',
  })
  origin!: TagOrigin;

  @Field({
    type: [String],
    description: 'Runtimes that already have the image',
    example: ['docker'],
  })
  present_in!: string[];

  @NullableField(Number, { description: 'Unpacked size, if known', example: 1388683921 })
  size_bytes!: number | null;

  @Field({
    enum: TAG_FITS,
    enumName: 'TagFit',
    description:
      'Whether it works with the installed kind. `likely`: built for it; `unlikely`: outside its supported versions; `never`: does not start on this host; `unknown`: all others',
  })
  fits!: TagFit['fits'];

  @NullableField(String, {
    description: 'Why it may not work',
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
      '`reading`: first read, later responses have its tags; `unreachable`: the tags may be outdated; `off`: not queried',
  })
  state!: RegistryLookup['state'];

  @NullableField(String, {
    description: 'Why it is unreachable',
    example: 'docker.io did not respond in time.',
  })
  reason!: string | null;

  @NullableField(String, { description: 'When its tags were read', example: '2026-11-21T09:40:48.102Z' })
  read_at!: string | null;
}

export class VersionsDto {
  @NullableField(String, {
    description: 'Best tag: local tags that were built for this kind come first',
    example: 'v1.34.4',
  })
  default_tag!: string | null;

  @Field({ description: 'Name of the provisioner', example: 'kind' })
  provisioner!: string;

  @NullableField(String, { example: '0.33.0' })
  provisioner_version!: string | null;

  @NestedField(() => RegistryLookupDto, { description: 'State of the registry lookup' })
  registry!: RegistryLookupDto;

  @NestedField(() => NodeImageTagDto, {
    isArray: true,
    description: 'Local tags first, then the newest',
  })
  tags!: NodeImageTagDto[];
}
