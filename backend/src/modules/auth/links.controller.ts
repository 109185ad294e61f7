import { HttpCode, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Fails, Returns } from '../../core/api/index.js';
import {
  GuardedController,
  NeedsPassword,
  NeedsRecentPassword,
  RouteScope,
} from '../../core/security/index.js';
import { IssuedLinkDto } from './auth.dto.js';
import { SignInJournal } from './sign-in-journal.js';
import { LINK_MINUTES, SignInLinks } from './sign-in-links.js';

/** Requires a session with a password or the owner: a leaked access token must not be able to sign in. */
@RouteScope('session')
@GuardedController('auth', 'api/auth/links')
export class LinksController {
  constructor(
    private readonly links: SignInLinks,
    private readonly journal: SignInJournal,
  ) {}

  @Post()
  @NeedsPassword()
  @NeedsRecentPassword()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create a one-time sign-in link',
    description: `For another browser of the same user: open \`/login#link=<token>\` there. It works once, within ${LINK_MINUTES} minutes.`,
  })
  @Returns(IssuedLinkDto, { status: 201 })
  @Fails('password_required', 'reauthentication_required')
  create(): IssuedLinkDto {
    this.journal.createdLink();
    return { token: this.links.issue(), expires_in: LINK_MINUTES * 60 };
  }
}
