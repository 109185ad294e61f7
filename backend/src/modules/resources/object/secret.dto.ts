import { Matches } from 'class-validator';
import { Field, Text } from '../../../core/api/index.js';

export class RevealKeyDto {
  @Text({ description: 'One of `hidden_keys`', example: 'password' })
  @Matches(/^[-._a-zA-Z0-9]{1,253}$/, { message: 'is not a valid key of a Secret' })
  key!: string;
}

const VALUE_ENCODINGS = ['text', 'base64'] as const;

export class RevealedValueDto {
  @Field({ example: 'password' })
  key!: string;

  @Field({ example: 'correct horse battery staple' })
  value!: string;

  @Field({ enum: VALUE_ENCODINGS, description: '`base64` if the value is not UTF-8 text' })
  encoding!: (typeof VALUE_ENCODINGS)[number];
}
