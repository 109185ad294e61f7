import { CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemRadio, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Icon, type IconName } from '../../shared/ui/icon';
import { SignInSession } from '../../shared/session/sign-in-session';
import { goToSignIn } from '../../shared/session/way-back';
import { Shortcuts } from './shortcuts';
import { Theme, type ThemeChoice } from '../../shared/theme';

/** What is not a page: the API's documentation and health, each in a window of its own, and the theme. */
@Component({
  selector: 'sw-header-menu',
  imports: [CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemRadio, CdkMenuTrigger, Icon, RouterLink],
  template: `
    <button type="button" class="btn icon" aria-label="Menu" title="Menu" [cdkMenuTriggerFor]="menu">
      <sw-icon name="menu" />
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @for (link of links(); track link.href) {
          <a cdkMenuItem target="_blank" rel="noopener" [href]="link.href">
            <sw-icon [name]="link.icon" />{{ link.text }}<sw-icon class="tail" name="external" [size]="14" />
            <span class="sr-only">(new window)</span>
          </a>
        }
        <button type="button" cdkMenuItem (cdkMenuItemTriggered)="shortcuts.open()">
          <sw-icon name="info" />Keyboard shortcuts<kbd class="tail" aria-hidden="true">?</kbd>
        </button>
        <hr />
        <div cdkMenuGroup aria-label="Theme">
          <div class="group" aria-hidden="true">Theme</div>
          @for (option of themes; track option.value) {
            <button
              type="button"
              cdkMenuItemRadio
              [cdkMenuItemChecked]="theme.choice() === option.value"
              (cdkMenuItemTriggered)="theme.choose(option.value)"
            >
              <sw-icon [name]="option.icon" />{{ option.text }}
              @if (theme.choice() === option.value) {
                <sw-icon class="tail" name="check" [size]="14" />
              }
            </button>
          }
        </div>
        @if (session.user(); as user) {
          <hr />
          <a cdkMenuItem routerLink="/sessions"><sw-icon name="key" />Sessions of {{ user.username }}</a>
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="signOut()">
            <sw-icon name="arrow-right" />Sign out
          </button>
        }
      </div>
    </ng-template>
  `,
})
export class HeaderMenu {
  protected readonly shortcuts = inject(Shortcuts);
  protected readonly theme = inject(Theme);
  protected readonly session = inject(SignInSession);
  /** Windows of their own. Health is asked for with a header that a window cannot send, where one signs in. */
  protected readonly links = computed<readonly { href: string; text: string; icon: IconName }[]>(() => [
    { href: '/log-board', text: 'Log board', icon: 'logs' },
    { href: '/docs', text: 'API documentation', icon: 'braces' },
    { href: '/redoc', text: 'API documentation, alternative', icon: 'book' },
    ...(this.session.user() ? [] : [{ href: '/api/v1/health', text: 'Health', icon: 'pulse' } as const]),
  ]);
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
