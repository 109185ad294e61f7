import { Global, Module } from '@nestjs/common';
import { AccessPolicy } from '../../core/security/index.js';
import {
  AccessTokensController,
  AuthController,
  AuthModule,
  Exemption,
  ExemptionController,
  LinksController,
  SessionAccess,
  SessionsController,
} from '../auth/index.js';
import { NoExemption } from './no-exemption.js';

/** Guards the log board: its sign-in routes, and its policy, which requires a session of everyone. */
@Global()
@Module({
  imports: [AuthModule],
  controllers: [
    AuthController,
    SessionsController,
    AccessTokensController,
    LinksController,
    ExemptionController,
  ],
  providers: [
    { provide: Exemption, useClass: NoExemption },
    { provide: AccessPolicy, useClass: SessionAccess },
  ],
  exports: [AccessPolicy, AuthModule],
})
export class LogBoardAuthModule {}
