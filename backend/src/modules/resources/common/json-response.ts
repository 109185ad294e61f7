import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiResponse } from '@nestjs/swagger';

/**
 * A response that the service built field by field. The serializer's allow-list would copy each cell of thousands of
 * rows and block the server meanwhile.
 */
export function jsonResponse(body: object): StreamableFile {
  return new StreamableFile(Buffer.from(JSON.stringify(body)), { type: 'application/json; charset=utf-8' });
}

export function ReturnsJson(schema: object, ...models: (new () => object)[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(...models),
    ApiResponse({ status: 200, description: 'OK', content: { 'application/json': { schema } } }),
  );
}
