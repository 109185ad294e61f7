import { ArrayMaxSize, ArrayMinSize, IsArray, Matches, MaxLength, ValidateNested } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Field, Flag, Text } from '../../../core/api/index.js';
import { ReplacedResourceDto } from '../change/change.dto.js';

const MAX_CONTAINERS = 50;
/** Of a container. */
const CONTAINER_NAME = /^(?!.{64})[a-z0-9]+(-+[a-z0-9]+)*$/;
/** Loose: the runtime of the node judges it. A registry may follow rules of its own. */
const IMAGE = /^[^\s@]{1,400}(@sha256:[0-9a-f]{64})?$/;

class ContainerImageDto {
  @Text({ description: 'A container or an init container', example: 'web' })
  @Matches(CONTAINER_NAME, { message: 'must be a valid container name' })
  container!: string;

  @Text({ example: 'shop/web:1.5.0' })
  @MaxLength(480, { message: 'must be at most 480 characters' })
  @Matches(IMAGE, { message: 'must be the name of an image, such as shop/web:1.4.0' })
  image!: string;
}

export class ChangeImagesDto {
  @ApiProperty({ type: [ContainerImageDto], maxItems: MAX_CONTAINERS })
  @IsArray({ message: 'must be a list of containers and their images' })
  @ArrayMinSize(1, { message: 'must contain at least one container' })
  @ArrayMaxSize(MAX_CONTAINERS, { message: `must contain at most ${MAX_CONTAINERS} containers` })
  @ValidateNested({ each: true })
  @Type(() => ContainerImageDto)
  images!: ContainerImageDto[];

  @Flag({ description: 'Change images even if no node has them, because the nodes can pull them' })
  accept_missing?: boolean;
}

export class ChangedImagesDto extends ReplacedResourceDto {
  @Field({ type: [String], description: 'New images that no node has', example: ['shop/web:1.5.0'] })
  missing!: string[];

  @Field({ example: 'Changed the image of web to shop/web:1.5.0. A rollout replaces the pods.' })
  message!: string;
}
