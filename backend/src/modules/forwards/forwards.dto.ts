import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, Matches } from 'class-validator';
import { Field, NullableField, Optional, OptionalInteger, Text } from '../../core/api/index.js';
import { NAMESPACE_NAME, OBJECT_NAME } from '../../core/security/index.js';
import {
  FORWARD_PLURALS,
  FORWARD_PROTOCOLS,
  type ForwardPlural,
  type ForwardProtocol,
} from './target/forward-kinds.js';
import type { ForwardState } from './running-forward.js';

/** A port number, or a port name by RFC 6335. */
export const PORT =
  /^([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5]|(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*)$/;

const MAX_HOSTS = 20;
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?){0,125}$/;

export class StartForwardDto {
  @ApiProperty({ enum: FORWARD_PLURALS, description: 'Kind of the object', example: 'services' })
  @IsIn(FORWARD_PLURALS, { message: `must be one of ${FORWARD_PLURALS.join(', ')}` })
  plural!: ForwardPlural;

  @Text({ example: 'shop' })
  @Matches(NAMESPACE_NAME, { message: 'must be a valid namespace name, such as shop' })
  namespace!: string;

  @Text({ description: 'Name of the object', example: 'web' })
  @Matches(OBJECT_NAME, { message: 'must be a valid object name' })
  object!: string;

  @ApiProperty({
    oneOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'string' }],
    description: 'Number or name of a TCP port of the object',
    example: 80,
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value))
  @Matches(PORT, { message: 'must be a port number from 1 to 65535, or the name of a port' })
  port!: string;

  @OptionalInteger({
    description: 'Port of 127.0.0.1. By default any free one',
    minimum: 1,
    maximum: 65535,
    example: 8081,
  })
  local_port?: number;

  @ApiProperty({
    enum: FORWARD_PROTOCOLS,
    required: false,
    description:
      'What the program speaks. By default this follows from `appProtocol`, the name and the number of the port. For `http` and `https` there is also a `url`',
    example: 'http',
  })
  @Optional()
  @IsIn(FORWARD_PROTOCOLS, { message: `must be one of ${FORWARD_PROTOCOLS.join(', ')}` })
  protocol?: ForwardProtocol;

  @ApiProperty({
    type: [String],
    maxItems: MAX_HOSTS,
    required: false,
    description:
      'Host names, besides those of this machine, by which HTTP requests may use the local port, such as those of an Ingress. They replace those of an existing port-forward',
    example: ['shop.example.test'],
  })
  @Optional()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(MAX_HOSTS, { message: `must have at most ${MAX_HOSTS} items` })
  @Matches(HOST_NAME, { each: true, message: 'must be host names in lower case, without a port' })
  hosts?: string[];
}

/** A port-forward. Each connection goes to a Pod that is ready at that time. */
export class ForwardDto {
  @Field({ example: '5f0c2d1e9a7b' })
  id!: string;

  @Field({ enum: FORWARD_PLURALS, example: 'services' })
  plural!: ForwardPlural;

  @Field({ example: 'shop' })
  namespace!: string;

  @Field({ example: 'web' })
  object!: string;

  @Field({ description: 'Number or name of the port of the object', example: '80' })
  port!: string;

  @Field({ enum: FORWARD_PROTOCOLS, example: 'http' })
  protocol!: ForwardProtocol;

  @Field({ example: 8081 })
  local_port!: number;

  @Field({
    description:
      'Plain TCP for programs. On Linux, only connections of the system user of Slipway are accepted. HTTP requests need a Host of this machine or of `hosts`, and no page of another site may send them. A browser is redirected to `url`, if there is one',
    example: '127.0.0.1:8081',
  })
  local_address!: string;

  @NullableField(String, {
    description:
      'URL of the page for `http` and `https`, at the local port and under a host name of its own, which no other target ever gets. TLS to the Pod is not verified. The response to starting contains a link that admits one browser, once, within a minute; for Safari, which cannot resolve the name, it has 127.0.0.1. Lists contain the URL without a key',
    example: 'http://qwmrtzkxvnbd.localhost:8081',
  })
  url!: string | null;

  @Field({
    type: [String],
    description: 'More hosts by which HTTP requests may use the local port',
    example: [],
  })
  hosts!: string[];

  @Field({
    enum: ['ready', 'waiting', 'failed'],
    description: '`waiting`: no Pod is ready, or the cluster is not running. `failed`: it does not listen',
    example: 'ready',
  })
  state!: ForwardState;

  @NullableField(String, {
    description: 'Why it is not ready, or why the last connection failed',
    example: null,
  })
  state_reason!: string | null;

  @NullableField(String, { description: 'The Pod of the next connection', example: 'web-6d4cf56db6-x2x7k' })
  pod!: string | null;

  @NullableField(Number, { description: 'The port of that Pod', example: 8080 })
  pod_port!: number | null;

  @Field({ description: 'Open connections', example: 2 })
  connections!: number;

  @Field({ description: 'Bytes that clients sent since Slipway started', example: 1840 })
  bytes_to_pod!: number;

  @Field({ description: 'Bytes that clients received since Slipway started', example: 920_114 })
  bytes_from_pod!: number;

  @Field({ format: 'date-time', example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @NullableField(String, {
    description: 'Who else can reach the port-forwards, or from where they cannot be reached',
    example: null,
  })
  notice!: string | null;
}
