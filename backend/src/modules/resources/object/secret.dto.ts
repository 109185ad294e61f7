import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Field } from '../../../core/api/index.js';

export class RevealKeyDto {
  @ApiProperty({ description: 'One of `hidden_keys`', example: 'password' })
  @IsString({ message: 'must be text' })
  @Matches(/^[-._a-zA-Z0-9]{1,253}$/, { message: 'is not a key that a Secret can have' })
  key!: string;
}

export const VALUE_ENCODINGS = ['text', 'base64'] as const;

export class RevealedValueDto {
  @Field({ example: 'password' })
  key!: string;

  @Field({ example: 'correct horse battery staple' })
  value!: string;

  @Field({ enum: VALUE_ENCODINGS, description: '`base64` of what is not text' })
  encoding!: (typeof VALUE_ENCODINGS)[number];
}
