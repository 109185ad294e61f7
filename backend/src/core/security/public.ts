import { SetMetadata } from '@nestjs/common';

/** Marks a route that stands outside the sign-in. A test fails for a route with neither this nor a guard. */
export const PUBLIC_ROUTE = 'public-route';

/** @param reason why anybody may ask for it, for the reader. */
export const Public = (reason: string): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC_ROUTE, reason);
