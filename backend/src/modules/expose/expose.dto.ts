import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, Matches } from 'class-validator';
import {
  Field,
  NestedField,
  NullableField,
  Optional,
  OptionalInteger,
  OptionalText,
} from '../../core/api/index.js';
import { FORWARD_PROTOCOLS, PORT, type ForwardProtocol } from '../forwards/index.js';
import { ResourceReferenceDto } from '../resources/index.js';

/** An RFC 1035 label, which a Service must have as its name. */
const SERVICE_NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** An RFC 1123 name. */
const HOST = /^(?!.{254})[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

export class ExposeDto {
  @ApiProperty({
    oneOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'string' }],
    required: false,
    description:
      'Number or name of a container port, which need not be declared. By default the only declared port, or the first declared one that speaks HTTP',
    example: 8080,
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value))
  @Matches(PORT, { message: 'must be a port number from 1 to 65535, or the name of a port' })
  port?: string;

  @OptionalInteger({
    description: 'Port of the Service. By default the number of the container port',
    minimum: 1,
    maximum: 65535,
    example: 80,
  })
  service_port?: number;

  @OptionalText({
    description:
      'Name of the Service, and of the Ingress. By default a Service that already leads there, or the name of the object',
    example: 'web',
  })
  @Matches(SERVICE_NAME, {
    message: 'must be a valid Service name: up to 63 lower-case letters, digits and hyphens, a letter first',
  })
  name?: string;

  @ApiProperty({
    enum: FORWARD_PROTOCOLS,
    required: false,
    description: 'What the program speaks. By default this follows from the name and the number of the port',
    example: 'http',
  })
  @Optional()
  @IsIn(FORWARD_PROTOCOLS, { message: `must be one of ${FORWARD_PROTOCOLS.join(', ')}` })
  protocol?: ForwardProtocol;

  @ApiProperty({
    type: Boolean,
    required: false,
    description:
      'Whether to create an Ingress. By default if it speaks HTTP and the cluster has an IngressClass',
    example: true,
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  ingress?: boolean;

  @OptionalText({
    description:
      'Host name of the Ingress. By default the name of the Service followed by `.localhost`, which browsers resolve to their own machine',
    example: 'web.localhost',
  })
  @Matches(HOST, { message: 'must be a host name in lower case, such as web.localhost' })
  host?: string;
}

export class ExposedObjectDto extends ResourceReferenceDto {
  @Field({ enum: ['created', 'unchanged'], description: '`unchanged`: it already leads there' })
  outcome!: 'created' | 'unchanged';

  @Field({ description: 'Its manifest', example: 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n' })
  yaml!: string;
}

export class ExposedDto {
  @NestedField(() => ExposedObjectDto, { isArray: true, description: 'The Service, then the Ingress' })
  objects!: ExposedObjectDto[];

  @Field({ description: 'Number or name of the container port', example: '8080' })
  port!: string;

  @Field({ description: 'Port of the Service', example: 8080 })
  service_port!: number;

  @Field({
    enum: [...FORWARD_PROTOCOLS, 'udp', 'sctp'],
    description: 'What the program speaks',
    example: 'http',
  })
  protocol!: ForwardProtocol | 'udp' | 'sctp';

  @NullableField(String, {
    description: 'The IngressClass of the cluster: its default or its only one',
    example: 'traefik',
  })
  ingress_class!: string | null;

  @NullableField(String, { description: 'Host name of the Ingress', example: 'web.localhost' })
  host!: string | null;

  @Field({
    enum: ['published_port', 'forward'],
    nullable: true,
    description:
      'How to reach it: through a published port of a node, on which an ingress controller listens, or through a port-forward. Null for UDP and SCTP, or if no port-forward could be started',
    example: 'published_port',
  })
  way!: 'published_port' | 'forward' | null;

  @NullableField(String, {
    description:
      'URL of the page; null for a TCP port without a page. A link of a port-forward admits one browser, once, within a minute, and a dry run has none',
    example: 'http://web.localhost:8080/',
  })
  link!: string | null;

  @NullableField(String, { description: 'Address of the port-forward, for any client', example: null })
  local_address!: string | null;

  @NullableField(String, {
    description: 'Who can reach it',
    example: 'Every user and program of this machine can open it.',
  })
  access!: string | null;

  @Field({ example: 'Created Service shop/web and Ingress shop/web.' })
  message!: string;

  @Field({ type: [String], description: 'What limits it, such as Pods that are not ready', example: [] })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}
