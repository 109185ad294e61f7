import { applyDecorators, SerializeOptions } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiResponse, getSchemaPath } from '@nestjs/swagger';
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
export function Answers(
  type: Constructor,
  options: { list?: boolean; status?: number; description?: string } = {},
): MethodDecorator {
  const { list = false, status = 200, description = '' } = options;
  return applyDecorators(
    SerializeOptions({ type, excludeExtraneousValues: true }),
    status === 200
      ? ApiOkResponse({ type, isArray: list, description })
      : ApiResponse({ status, type, isArray: list, description }),
  );
}

/** Documents the error answers of a route by their codes; several codes of one status share an entry. */
export function Fails(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ApiExtraModels(ErrorDto),
    ...[...byStatus].map(([status, sameStatus]) =>
      ApiResponse({
        status,
        description: sameStatus.map((code) => `\`${code}\``).join(', '),
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(ErrorDto) },
            example: exampleOf(status, sameStatus[0] as ErrorCode),
          },
        },
      }),
    ),
  );
}

function exampleOf(status: number, code: ErrorCode): object {
  return {
    statusCode: status,
    error: '…',
    message: '…',
    code,
    details: null,
    request_id: '5f0c2d1e9a7b4c33',
  };
}
