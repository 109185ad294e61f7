import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Field, NestedField, NullableField, OptionalText } from '../../../core/api/index.js';
import { CLUSTER_NAME, RUNTIME_ID } from '../../../core/security/index.js';
import { IsNewClusterName } from '../creation/index.js';
import { CheckProblemDto } from '../inventory/index.js';

export class CloneClusterDto {
  @ApiProperty({
    description: 'Name of the new cluster: small letters, digits and hyphens, up to 40',
    pattern: CLUSTER_NAME.source,
    example: 'staging-2',
  })
  @IsNewClusterName()
  name!: string;

  @OptionalText({
    description: 'Engine of the new cluster; that of the old one where it is left out',
    example: 'docker',
  })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;
}

export class PortMoveDto {
  @Field({ description: 'Where the config says so', example: 'nodes[0].extraPortMappings[0].hostPort' })
  where!: string;

  @Field({ example: '127.0.0.1' })
  address!: string;

  @Field({ example: 'TCP' })
  protocol!: string;

  @Field({ example: 8080 })
  from!: number;

  @Field({ example: 8081 })
  to!: number;

  @Field({ description: 'Who has the old one', example: 'staging wants it' })
  reason!: string;
}

export class CloneCheckDto {
  @Field({ description: 'Whether the clone would be begun' })
  acceptable!: boolean;

  @NestedField(() => CheckProblemDto, { isArray: true })
  problems!: CheckProblemDto[];

  @NestedField(() => PortMoveDto, {
    isArray: true,
    description: 'Host ports that somebody has already, and the free ones that the clone gets',
  })
  moves!: PortMoveDto[];

  @Field({
    type: [String],
    description: 'What the two clusters would share, and what deserves a look',
    example: ['Both would mount /home/me/code of this machine.'],
  })
  warnings!: string[];

  @NullableField(String, {
    description: 'The config that the clone would be made from',
    example: 'kind: Cluster\n…',
  })
  config!: string | null;
}
