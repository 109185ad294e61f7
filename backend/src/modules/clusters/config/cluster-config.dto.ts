import { Field, Flag, NestedField, QueryFlag, RuntimeQueryDto, Text } from '../../../core/api/index.js';
import { CheckProblemDto, HostAccessDto } from '../inventory/cluster.dto.js';
import { CONFIG_EXAMPLE } from './config-examples.js';

export class ConfigTextDto {
  @Text({ description: 'A complete kind config (v1alpha4, YAML)', example: CONFIG_EXAMPLE })
  config!: string;

  @Flag({
    description: 'Confirms the additional access of the config to the host (mounts, patches, foreign images)',
  })
  accept_host_access?: boolean;
}

export class ConfigQueryDto extends RuntimeQueryDto {
  @QueryFlag({ description: 'Same as in the JSON body, for a body in YAML' })
  accept_host_access?: boolean;
}

export class ConfigDto {
  @Field({ description: 'The kind config', example: CONFIG_EXAMPLE })
  config!: string;

  @Field({
    enum: ['saved', 'rebuilt'],
    enumName: 'ConfigSource',
    description: '`rebuilt`: from the containers of a cluster created outside Slipway',
  })
  source!: 'saved' | 'rebuilt';
}

export class SavedConfigDto extends ConfigDto {
  @Field({ description: 'Whether the saved config differs from the one that the cluster was created from' })
  config_changed!: boolean;
}

export class ConfigProblemDto {
  @Field({ description: 'Empty for the whole document', example: 'nodes[0].role' })
  path!: string;

  @Field({ description: 'Counted from 1', example: 5 })
  line!: number;

  @Field({ description: 'Counted from 1', example: 11 })
  column!: number;

  @Field({ example: 'must be one of control-plane, worker' })
  problem!: string;
}

export class ConfigCheckDto {
  @Field({ description: 'Whether kind would accept it' })
  acceptable!: boolean;

  @NestedField(() => ConfigProblemDto, {
    isArray: true,
    description: 'All problems',
  })
  problems!: ConfigProblemDto[];

  @Field({ type: [String], description: 'Parts of the text that kind ignores, and findings about the host' })
  warnings!: string[];

  @NestedField(() => CheckProblemDto, {
    isArray: true,
    description: 'What prevents a creation from it on this host now, such as ports in use. It can be saved.',
  })
  host_problems!: CheckProblemDto[];

  @NestedField(() => HostAccessDto, {
    isArray: true,
    description: 'Additional access to the host; confirm it with `accept_host_access`',
  })
  host_access!: HostAccessDto[];
}
