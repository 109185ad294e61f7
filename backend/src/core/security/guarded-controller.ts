import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccessGuard } from './access.guard.js';

/** A controller whose routes all have the `AccessGuard`. */
export function GuardedController(tag: string, path: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), UseGuards(AccessGuard), Controller(path));
}
