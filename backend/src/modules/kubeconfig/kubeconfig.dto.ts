import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Field, Flag, NullableField, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { CONTAINER_VARIANTS, type ContainerVariant } from './kubeconfig.service.js';

export class ContainerKubeconfigQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    description:
      '`host` connects through the host; `network` is for containers in the network of the cluster',
    enum: CONTAINER_VARIANTS,
    default: 'host',
  })
  @Optional()
  @IsIn(CONTAINER_VARIANTS, { message: 'must be host or network' })
  variant: ContainerVariant = 'host';
}

export class MergeKubeconfigDto {
  @Flag({ description: 'Whether to make it the current context' })
  set_current: boolean = false;
}

export class KubeconfigMergeDto {
  @Field({ description: 'File of the entry, by kubectl’s rules', example: '/home/me/.kube/config' })
  file!: string;

  @Field({ description: 'Context, with the engine if its name is taken', example: 'kind-staging' })
  context!: string;

  @Field({ description: 'Whether the file has the entry' })
  merged!: boolean;

  @Field({ description: 'Whether it is the current context' })
  current!: boolean;

  @Field({ description: 'Whether its server or certificate authority is no longer that of the cluster' })
  outdated!: boolean;

  @NullableField(String, {
    description: 'Backup from before the last change. Slipway keeps three',
    example: '/home/me/.kube/config.slipway-backup-20261121T174527123Z',
  })
  backup!: string | null;

  @NullableField(String, {
    description: 'Why the file cannot be changed',
    example: 'Could not use /home/me/.kube/config: line 4 is not valid YAML. It was not changed.',
  })
  problem!: string | null;
}
