import { RequestMethod } from '@nestjs/common';
import { AccessGuard } from '../../backend/src/core/security/access.guard.js';
import { PUBLIC_ROUTE } from '../../backend/src/core/security/public.js';
import { routeRule } from '../../backend/src/core/security/token-scope.js';
import { JwtAuthGuard } from '../../backend/src/modules/auth/jwt-auth.guard.js';

export type ControllerClass = new (...dependencies: never[]) => object;

/** How a route is protected: by a guard that requires a session, by a reason for being public, or not at all. */
export interface RouteAccess {
  route: string;
  access: 'guarded' | 'public' | 'undeclared';
}

/** Every route of some controllers, by what the route and its class declare of it. */
export function accessOf(controllers: readonly ControllerClass[]): RouteAccess[] {
  return routesOf(controllers).map(({ route, owners }) => ({ route, access: accessBy(owners) }));
}

/**
 * Every guarded route of some controllers with what it needs of an access token: `GET StatsController.read read`.
 */
export function scopesOf(controllers: readonly ControllerClass[]): string[] {
  return routesOf(controllers)
    .filter(({ owners }) => accessBy(owners) === 'guarded')
    .map(({ route, owners }) => {
      const method = RequestMethod[Reflect.getMetadata('method', owners[0]) as RequestMethod];
      const { needs, flagIn } = routeRule(owners, method);
      return `${method} ${route} ${flagIn === undefined ? needs : `${needs} in ${flagIn}`}`;
    })
    .sort();
}

/** Routes with what declares something of them: the handler, then its class. */
function routesOf(
  controllers: readonly ControllerClass[],
): { route: string; owners: [handler: object, controller: object] }[] {
  return controllers.flatMap((controller) =>
    Object.entries(Object.getOwnPropertyDescriptors(controller.prototype))
      .filter(([name]) => name !== 'constructor')
      .map(([name, { value }]): [string, unknown] => [name, value])
      .filter((entry): entry is [string, object] => isRoute(entry[1]))
      .map(([name, handler]) => ({ route: `${controller.name}.${name}`, owners: [handler, controller] })),
  );
}

function isRoute(handler: unknown): boolean {
  return typeof handler === 'function' && Reflect.hasMetadata('path', handler);
}

function accessBy(owners: readonly object[]): RouteAccess['access'] {
  if (owners.some(isGuarded)) return 'guarded';
  return owners.some((owner) => isReason(Reflect.getMetadata(PUBLIC_ROUTE, owner))) ? 'public' : 'undeclared';
}

function isGuarded(owner: object): boolean {
  const guards = (Reflect.getMetadata('__guards__', owner) ?? []) as unknown[];
  return guards.some((guard) => guard === AccessGuard || guard === JwtAuthGuard);
}

function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.length > 10;
}
