import { RequestMethod } from '@nestjs/common';
import { PUBLIC_ROUTE } from '../../backend/src/core/security/public.js';
import { routeRule } from '../../backend/src/core/security/token-scope.js';

export type ControllerClass = new (...dependencies: never[]) => object;

/** Whether a route is public, and says why. All others are closed by `AccessGuard`, which is global. */
export interface RouteAccess {
  route: string;
  access: 'guarded' | 'public' | 'unexplained';
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
  const reasons = owners.map((owner) => Reflect.getMetadata(PUBLIC_ROUTE, owner) as unknown);
  if (reasons.every((reason) => reason === undefined)) return 'guarded';
  return reasons.some(isReason) ? 'public' : 'unexplained';
}

function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.length > 10;
}
