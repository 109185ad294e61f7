import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Optional } from '../../../core/api/index.js';
import { RuntimeQueryDto } from '../cluster-parameters.js';
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
