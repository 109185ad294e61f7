import { Injectable, type CanActivate } from '@nestjs/common';

/**
 * Stands before every route. While the product listens on loopback only (`APP_HOST` allows nothing else),
 * whoever reaches it is a user of this machine, and the request gate has kept foreign pages out: the
 * policy lets them in. An address beyond loopback is refused at the start until sign-in covers it.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}
