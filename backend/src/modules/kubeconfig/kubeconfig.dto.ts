import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { Field, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { CONTAINER_VARIANTS, type ContainerVariant } from './kubeconfig.service.js';

export class ContainerKubeconfigQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    description:
      '`host` goes through the machine, by the name that its containers know it by; `network` fits containers on the cluster’s own network',
    enum: CONTAINER_VARIANTS,
    default: 'host',
  })
  @Optional()
  @IsIn(CONTAINER_VARIANTS, { message: 'must be host or network' })
  variant: ContainerVariant = 'host';
}

export class MergeKubeconfigDto {
  @ApiPropertyOptional({
    description: 'Whether kubectl shall use it where no context is named',
    default: false,
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  set_current: boolean = false;
}

export class KubeconfigMergeDto {
  @Field({
    description: 'The file that it is in, or would be put into, by kubectl’s own rules',
    example: '/home/me/.kube/config',
  })
  file!: string;

  @Field({
    description: 'Name of its context; with the engine where two engines hold a cluster of one name',
    example: 'kind-staging',
  })
  context!: string;

  @Field({ description: 'Whether it is in, whoever put it there' })
  merged!: boolean;

  @Field({ description: 'Whether it is the current context' })
  current!: boolean;

  @Field({ description: 'Whether it is in with an address or an authority that the cluster has no more' })
  outdated!: boolean;

  @Field({
    type: String,
    nullable: true,
    description: 'The file as it was before the last write; the last three are kept',
    example: '/home/me/.kube/config.slipway-backup-20261121T174527123Z',
  })
  backup!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Why nothing can be changed there',
    example: '/home/me/.kube/config cannot be used: line 4 is not valid YAML. It was left as it is.',
  })
  problem!: string | null;
}
