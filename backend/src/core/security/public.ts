import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Marks a route that stands outside the sign-in. A test fails for a route with neither this nor a guard. */
export const PUBLIC_ROUTE = 'public-route';

/** Where `Public` leaves its reason in the document. */
export const PUBLIC_EXTENSION = 'x-public';

/** @param reason why anybody may ask for it, for the reader. */
export const Public = (reason: string): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, reason), ApiExtension(PUBLIC_EXTENSION, reason));
