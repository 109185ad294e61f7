import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Marks a route that needs no sign-in. */
export const PUBLIC_ROUTE = 'public-route';

/** Extension of the OpenAPI document in which `Public` puts its reason. */
export const PUBLIC_EXTENSION = 'x-public';

/** @param reason why the route needs no sign-in. */
export const Public = (reason: string): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, reason), ApiExtension(PUBLIC_EXTENSION, reason));
