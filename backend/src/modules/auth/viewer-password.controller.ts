import { Body, HttpCode, Put } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import { Fails } from '../../core/api/index.js';
import { chosenPassword } from '../../core/config/index.js';
import { invalidField } from '../../core/errors/index.js';
import {
  GuardedController,
  NeedsPassword,
  NeedsRecentPassword,
  RouteScope,
} from '../../core/security/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { JournalService } from '../journal/index.js';
import { ViewerPasswordDto } from './auth.dto.js';
import { PasswordCheck } from './password-check.js';

/** Requires a session or the owner: a leaked access token must not be able to open a way in. */
@RouteScope('session')
@GuardedController('auth', 'api/auth/viewer-password')
export class ViewerPasswordController {
  constructor(
    private readonly secrets: Secrets,
    private readonly passwords: PasswordCheck,
    private readonly journal: JournalService,
  ) {}

  /** With a recent password, because it tells whether a text is the password of the user, without a limit of attempts. */
  @Put()
  @NeedsPassword()
  @NeedsRecentPassword()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Set or remove the read-only password',
    description: 'Signing in with it starts a session of the scope `read`. A change ends those sessions.',
  })
  @ApiBody({
    type: ViewerPasswordDto,
    examples: { set: { value: { password: 'green harbor lantern' } }, remove: { value: { password: null } } },
  })
  @ApiNoContentResponse({ description: 'Changed' })
  @Fails('password_required', 'reauthentication_required', 'storage_unavailable')
  async change(@Body() { password }: ViewerPasswordDto): Promise<void> {
    const { viewer, passwordHash } = this.secrets;
    if (password === null) {
      if (viewer.hash === undefined) return;
      this.record('Removed the read-only password. It ended its sessions.');
      viewer.remove();
      return;
    }
    try {
      chosenPassword(password);
    } catch (error) {
      throw invalidField('password', (error as Error).message);
    }
    if (await this.passwords.matches(password, passwordHash)) {
      throw invalidField('password', 'must differ from your own password', 'Choose another one.');
    }
    this.record(
      viewer.hash === undefined
        ? 'Set a read-only password.'
        : 'Changed the read-only password. It ended its sessions.',
    );
    await viewer.change(password);
  }

  private record(message: string): void {
    this.journal.record({ kind: 'password-change', message });
  }
}
