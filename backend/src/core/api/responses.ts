import { STATUS_CODES } from 'node:http';
import { applyDecorators, SerializeOptions } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '../errors/index.js';
import { Field } from './field.js';

type Constructor = new () => object;

/** The format of every error response, as the documentation shows it. */
export class ErrorDto {
  @Field({ description: 'HTTP status', example: 409 })
  statusCode!: number;

  @Field({ description: 'Name of the status', example: 'Conflict' })
  error!: string;

  @Field({ description: 'What happened, why, and what to do', example: 'demo is being created by job 12.' })
  message!: string;

  @Field({ description: 'Stable code for programs', enum: Object.keys(errorCodes), enumName: 'ErrorCode' })
  code!: ErrorCode;

  @Field({
    description: 'Details of the code, such as the invalid fields or the conflicting job',
    nullable: true,
    oneOf: [
      { type: 'object', additionalProperties: true },
      { type: 'array', items: { type: 'object', additionalProperties: true } },
    ],
  })
  details!: unknown;

  @Field({
    description: 'Also in the header x-request-id and in the server log',
    example: '5f0c2d1e9a7b4c33',
  })
  request_id!: string;
}

/** Responds with `type` and only the fields that it declares. */
export function Returns(
  type: Constructor,
  options: { list?: boolean; status?: number } = {},
): MethodDecorator {
  const { list = false, status = 200 } = options;
  return applyDecorators(
    SerializeOptions({ type, excludeExtraneousValues: true }),
    ApiResponse({ status, type, isArray: list, description: STATUS_CODES[status] ?? '' }),
  );
}

/** Extension of the OpenAPI document in which `Fails` puts its codes. */
export const ERROR_CODES_EXTENSION = 'x-error-codes';

/** Lists the error codes of a route, beside those of every route, and of every route of a cluster. */
export function Fails(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return applyDecorators(ApiExtraModels(ErrorDto), ApiExtension(ERROR_CODES_EXTENSION, codes));
}
