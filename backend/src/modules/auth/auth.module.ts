import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { Secrets } from '../../core/secrets/index.js';
import { AccessPolicy, SocketOwners } from '../../core/security/index.js';
import { AccessTokenStore } from './access-tokens/access-token.store.js';
import { AccessTokensController } from './access-tokens/access-tokens.controller.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { Credentials } from './credentials.js';
import { AuthController } from './auth.controller.js';
import { JournalEntriesModule } from '../journal/index.js';
import { Exemption } from './exemption.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { KnownBrowsers } from './known-browsers.js';
import { LinksController } from './links.controller.js';
import { PasswordCheck } from './password-check.js';
import { SessionAccess } from './session-access.js';
import { SessionSockets } from './session-sockets.js';
import { SessionStore } from './session.store.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignInJournal } from './sign-in-journal.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInLinks } from './sign-in-links.js';
import { SignInService } from './sign-in.service.js';
import { SocketTicketStore } from './socket-ticket.store.js';
import { SocketTickets } from './socket-tickets.js';
import { tokenOptions } from './tokens/token-options.js';

/**
 * Sign-in, sessions, access tokens and the access policy of both applications. The specification names the class for
 * the log board, where the scheme comes from.
 */
@Global()
@Module({})
export class LogBoardAuthModule {
  static with(exemption: Type<Exemption>): DynamicModule {
    return {
      module: LogBoardAuthModule,
      imports: [JournalEntriesModule, JwtModule.registerAsync({ useFactory: tokenOptions, inject: [Secrets] })],
      controllers: [AuthController, SessionsController, AccessTokensController, LinksController],
      providers: [
        AccessTokensService,
        AccessTokenStore,
        Credentials,
        JwtAuthGuard,
        JwtStrategy,
        KnownBrowsers,
        PasswordCheck,
        SessionAccess,
        SessionSockets,
        SessionStore,
        SessionsService,
        SignInJournal,
        SignInLimits,
        SignInLinks,
        SignInService,
        SocketTickets,
        SocketTicketStore,
        { provide: SocketOwners, useFactory: () => new SocketOwners() },
        { provide: Exemption, useClass: exemption },
        { provide: AccessPolicy, useExisting: SessionAccess },
      ],
      exports: [AccessPolicy, SessionSockets, SignInLinks],
    };
  }
}
