import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject } from '@angular/core';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { SessionEndNote } from '../../shared/session/session-end-note';
import { SignInSession } from '../../shared/session/sign-in-session';
import { goToSignIn } from '../../shared/session/way-back';
import { Theme, type ThemeChoice } from '../../shared/theme';
import { Icon, type IconName } from '../../shared/ui/icon';
import { Mark } from '../../shared/ui/mark';

/** The frame of every page behind the sign-in. */
@Component({
  selector: 'sw-frame',
  imports: [
    CdkMenu,
    CdkMenuItem,
    CdkMenuTrigger,
    Icon,
    Mark,
    RouterLink,
    RouterLinkActive,
    RouterOutlet,
    SessionEndNote,
  ],
  templateUrl: './frame.html',
  styleUrl: './frame.scss',
})
export class Frame {
  protected readonly session = inject(SignInSession);
  protected readonly theme = inject(Theme);
  protected readonly themes: readonly { value: ThemeChoice; text: string; icon: IconName }[] = [
    { value: 'light', text: 'Light', icon: 'sun' },
    { value: 'dark', text: 'Dark', icon: 'moon' },
    { value: 'system', text: 'As the system', icon: 'screen' },
  ];

  protected async signOut(): Promise<void> {
    await this.session.signOut().catch(() => undefined);
    goToSignIn();
  }
}
