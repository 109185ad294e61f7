import { Global, Module } from '@nestjs/common';
import { AccessPolicy, SocketOwners } from '../../core/security/index.js';
import { AuthController, AuthModule, Exemption, SessionAccess } from '../auth/index.js';
import { LocalUserExemption } from './local-user-exemption.js';

/** Guards the dashboard: its sign-in routes, and its policy, which exempts the local user. */
@Global()
@Module({
  imports: [AuthModule],
  controllers: [AuthController],
  providers: [
    { provide: SocketOwners, useFactory: () => new SocketOwners() },
    { provide: Exemption, useClass: LocalUserExemption },
    { provide: AccessPolicy, useClass: SessionAccess },
  ],
  exports: [AccessPolicy, AuthModule, Exemption],
})
export class DashboardAuthModule {}
