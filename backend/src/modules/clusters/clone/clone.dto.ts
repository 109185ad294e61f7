import { Matches } from 'class-validator';
import { Field, NestedField, NullableField, OptionalText } from '../../../core/api/index.js';
import { RUNTIME_ID } from '../../../core/security/index.js';
import { NewClusterName } from '../creation/cluster.validators.js';
import { CheckProblemDto } from '../inventory/cluster.dto.js';

export class CloneClusterDto {
  @NewClusterName({ example: 'staging-2' })
  name!: string;

  @OptionalText({
    description: 'Engine of the new cluster. Defaults to the engine of the source cluster.',
    example: 'docker',
  })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;
}

export class PortMoveDto {
  @Field({ description: 'Path in the config', example: 'nodes[0].extraPortMappings[0].hostPort' })
  where!: string;

  @Field({ example: '127.0.0.1' })
  address!: string;

  @Field({ example: 'TCP' })
  protocol!: string;

  @Field({ example: 8080 })
  from!: number;

  @Field({ example: 8081 })
  to!: number;

  @Field({ description: 'Why the port changes', example: 'staging needs it' })
  reason!: string;
}

export class CloneCheckDto {
  @Field({ description: 'Whether the same request would be accepted by POST /clusters/{name}/clone' })
  acceptable!: boolean;

  @NestedField(() => CheckProblemDto, { isArray: true })
  problems!: CheckProblemDto[];

  @NestedField(() => PortMoveDto, {
    isArray: true,
    description: 'Host ports in use, and the free ports that replace them',
  })
  moves!: PortMoveDto[];

  @Field({
    type: [String],
    description: 'What the two clusters would share',
    example: [
      'Both clusters mount /home/me/code of the host, and each can change what the other reads there.',
    ],
  })
  warnings!: string[];

  @NullableField(String, {
    description: 'The config that the clone would be created from',
    example: 'kind: Cluster\n…',
  })
  config!: string | null;
}
