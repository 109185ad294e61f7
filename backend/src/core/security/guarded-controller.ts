import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

/** A controller with its tag in the API document. Like all routes, its own are closed by the global `AccessGuard`. */
export function GuardedController(tag: string, path: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), Controller(path));
}
