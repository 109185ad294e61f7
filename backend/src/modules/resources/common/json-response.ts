import { applyDecorators, Header } from '@nestjs/common';
import { ApiExtraModels, ApiResponse } from '@nestjs/swagger';

/**
 * Responds with JSON text that the service built field by field. The serializer's allow-list would copy each cell of
 * thousands of rows and block the server meanwhile.
 */
export function ReturnsJson(schema: object, ...models: (new () => object)[]): MethodDecorator {
  return applyDecorators(
    Header('content-type', 'application/json; charset=utf-8'),
    ApiExtraModels(...models),
    ApiResponse({ status: 200, description: 'OK', content: { 'application/json': { schema } } }),
  );
}
