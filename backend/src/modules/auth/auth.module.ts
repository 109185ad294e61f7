import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { Secrets } from '../../core/secrets/index.js';
import { AccessTokenStore } from './access-tokens/access-token.store.js';
import { AccessTokensController } from './access-tokens/access-tokens.controller.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { Credentials } from './credentials.js';
import { ExemptionController } from './exemption.controller.js';
import { JournalEntriesModule } from '../journal/index.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { KnownBrowsers } from './known-browsers.js';
import { LinksController } from './links.controller.js';
import { MachineExemption } from './machine-exemption.js';
import { PasswordCheck } from './password-check.js';
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
import { ViewerPasswordController } from './viewer-password.controller.js';
import { tokenOptions } from './tokens/token-options.js';

/** Sign-ins, sessions and access tokens, which both applications share. Their own modules have the routes and the policy. */
@Module({
  imports: [JournalEntriesModule, JwtModule.registerAsync({ useFactory: tokenOptions, inject: [Secrets] })],
  controllers: [
    SessionsController,
    AccessTokensController,
    LinksController,
    ExemptionController,
    ViewerPasswordController,
  ],
  providers: [
    MachineExemption,
    AccessTokensService,
    AccessTokenStore,
    Credentials,
    JwtAuthGuard,
    JwtStrategy,
    KnownBrowsers,
    PasswordCheck,
    SessionSockets,
    SessionStore,
    SessionsService,
    SignInJournal,
    SignInLimits,
    SignInLinks,
    SignInService,
    SocketTickets,
    SocketTicketStore,
  ],
  exports: [
    MachineExemption,
    AccessTokensService,
    Credentials,
    JwtAuthGuard,
    JwtStrategy,
    KnownBrowsers,
    SessionSockets,
    SessionsService,
    SignInJournal,
    SignInLinks,
    SignInService,
    SocketTickets,
  ],
})
export class AuthModule {}
