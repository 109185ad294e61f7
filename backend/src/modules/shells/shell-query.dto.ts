import { IsIn, Matches } from 'class-validator';
import { OptionalText, QueryInteger, RuntimeQueryDto } from '../../core/api/index.js';
import { invalidField } from '../../core/errors/index.js';
import { IMAGE_REFERENCE, NAMESPACE_NAME, NODE_NAME, OBJECT_NAME } from '../../core/security/index.js';

const SHELL_TARGETS = ['container', 'node', 'debug'] as const;

/** Parameters of the socket. */
export class ShellQueryDto extends RuntimeQueryDto {
  @IsIn(SHELL_TARGETS, { message: `must be one of ${SHELL_TARGETS.join(', ')}` })
  target!: (typeof SHELL_TARGETS)[number];

  @OptionalText()
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a namespace' })
  namespace?: string;

  @OptionalText()
  @Matches(OBJECT_NAME, { message: 'must be the name of a Pod' })
  pod?: string;

  /** By default the first container. For `debug`, the container whose processes are visible. */
  @OptionalText()
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a container' })
  container?: string;

  @OptionalText()
  @Matches(NODE_NAME, { message: 'must be the name of a node' })
  node?: string;

  @OptionalText()
  @Matches(IMAGE_REFERENCE, { message: 'must be an image with a tag, such as busybox:1.37' })
  image?: string;

  @QueryInteger({ minimum: 1, maximum: 1000, default: 80 })
  columns = 80;

  @QueryInteger({ minimum: 1, maximum: 1000, default: 24 })
  rows = 24;

  /** The access policy has checked it. */
  @OptionalText({ maxLength: 2000 })
  token?: string;
}

/** The value of a field that a target requires. @throws DomainError `invalid_input` */
export function required(query: ShellQueryDto, field: 'namespace' | 'pod' | 'node' | 'image'): string {
  const value = query[field];
  if (value === undefined) throw invalidField(field, `is required for the target ${query.target}`);
  return value;
}
