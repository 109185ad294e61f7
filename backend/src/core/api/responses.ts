import { STATUS_CODES } from 'node:http';
import { applyDecorators, SerializeOptions } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '../errors/index.js';
import { Field } from './field.js';

type Constructor = new () => object;

/** The one shape of every error answer, as the documentation shows it. */
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
    description: 'What belongs to the code: the wrong fields, or the job that is in the way',
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

/** Answers with `type` and nothing that it does not declare. */
export function Returns(
  type: Constructor,
  options: { list?: boolean; status?: number; description?: string } = {},
): MethodDecorator {
  const { list = false, status = 200, description = STATUS_CODES[status] ?? '' } = options;
  return applyDecorators(
    SerializeOptions({ type, excludeExtraneousValues: true }),
    status === 200
      ? ApiOkResponse({ type, isArray: list, description })
      : ApiResponse({ status, type, isArray: list, description }),
  );
}

/** Where `Fails` leaves its codes in the document. */
export const ERROR_CODES_EXTENSION = 'x-error-codes';

/** Names the codes with which a route may answer, beside those with which every route may. */
export function Fails(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return applyDecorators(ApiExtraModels(ErrorDto), ApiExtension(ERROR_CODES_EXTENSION, codes));
}
