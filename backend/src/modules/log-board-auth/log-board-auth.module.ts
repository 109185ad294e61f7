import { Global, Module } from '@nestjs/common';
import { AccessPolicy } from '../../core/security/index.js';
import { AuthController, AuthModule, Exemption, SessionAccess } from '../auth/index.js';
import { NoExemption } from './no-exemption.js';

/** Guards the log board: its sign-in routes, and its policy, which requires a session of everyone. */
@Global()
@Module({
  imports: [AuthModule],
  controllers: [AuthController],
  providers: [
    { provide: Exemption, useClass: NoExemption },
    { provide: AccessPolicy, useClass: SessionAccess },
  ],
  exports: [AccessPolicy, AuthModule, Exemption],
})
export class LogBoardAuthModule {}
