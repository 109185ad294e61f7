import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import type { Configuration } from '../../core/config/index.js';
import { AccessPolicy, isFromThisMachine, OpenOnLoopback } from '../../core/security/index.js';
import { LogBoardAuthModule } from '../../modules/log-board-auth/index.js';
import { isOnLoopback, needsSignIn } from '../reach.js';

/** The policy of a dashboard that only this machine reaches. */
@Global()
@Module({ providers: [{ provide: AccessPolicy, useClass: OpenOnLoopback }], exports: [AccessPolicy] })
class OpenAccessModule {}

/**
 * Who may use the dashboard. Beyond loopback everybody signs in, as on the log board. On loopback who calls it by a
 * loopback name comes in as before, and who comes by a further name (a proxy's, say) signs in.
 */
export function dashboardAccess(configuration: Configuration): DynamicModule | Type {
  if (!needsSignIn(configuration)) return OpenAccessModule;
  const onLoopback = isOnLoopback(configuration);
  return LogBoardAuthModule.with({ exempts: (request) => onLoopback && isFromThisMachine(request) });
}
