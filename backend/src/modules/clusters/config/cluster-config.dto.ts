import { Field, Flag, NestedField, QueryFlag, RuntimeQueryDto, Text } from '../../../core/api/index.js';
import { HostAccessDto } from '../inventory/index.js';
import { CONFIG_EXAMPLE } from './config-examples.js';

const CONFIG_SOURCES = ['saved', 'rebuilt'] as const;
/** Whether a config is the saved file, or was rebuilt from the containers of a cluster made elsewhere. */
export type ConfigSource = (typeof CONFIG_SOURCES)[number];

export class ConfigTextDto {
  @Text({ description: 'A whole kind config (v1alpha4, YAML)', example: CONFIG_EXAMPLE })
  config!: string;

  @Flag({
    description:
      'Whether what the config newly reaches on this machine (mounts, patches, foreign images) was seen and is wanted',
  })
  accept_host_access?: boolean;
}

/** The fields of the body for a body that is YAML and nothing else. */
export class ConfigQueryDto extends RuntimeQueryDto {
  @QueryFlag({ description: 'The same as in a JSON body, for one in YAML' })
  accept_host_access?: boolean;
}

export class ConfigDto {
  @Field({ description: 'The kind config', example: CONFIG_EXAMPLE })
  config!: string;

  @Field({
    enum: CONFIG_SOURCES,
    enumName: 'ConfigSource',
    description: '`rebuilt` from the containers of a cluster that was made outside Slipway',
  })
  source!: ConfigSource;
}

export class SavedConfigDto extends ConfigDto {
  @Field({ description: 'Whether the saved config differs from the one that the cluster was made from' })
  config_changed!: boolean;
}

export class ConfigProblemDto {
  @Field({ description: 'Empty for the document itself', example: 'nodes[0].role' })
  path!: string;

  @Field({ description: 'Counted from 1', example: 5 })
  line!: number;

  @Field({ description: 'Counted from 1', example: 11 })
  column!: number;

  @Field({ example: 'must be one of control-plane, worker' })
  problem!: string;
}

export class ConfigCheckDto {
  @Field({ description: 'Whether kind would take it' })
  acceptable!: boolean;

  @NestedField(() => ConfigProblemDto, {
    isArray: true,
    description: 'Everything that is wrong, all at once',
  })
  problems!: ConfigProblemDto[];

  @NestedField(() => HostAccessDto, {
    isArray: true,
    description: 'What it newly reaches on this machine; to be confirmed by `accept_host_access`',
  })
  host_access!: HostAccessDto[];
}
