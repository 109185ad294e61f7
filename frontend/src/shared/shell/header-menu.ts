import { CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemRadio, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Icon, type IconName } from '../ui/icon';
import { PAGE_SESSION } from '../session/page-session';
import { SignInSession } from '../session/sign-in-session';
import { SignOut } from '../session/sign-out';
import { Theme, type ThemeChoice } from '../theme';

/** Opened in a window of its own. */
export interface MenuLink {
  href: string;
  text: string;
  icon: IconName;
}

/** A page of the application that the row of pages does not list. */
export interface MenuPage {
  path: string;
  text: string;
  icon: IconName;
}

/** What is not a page of its own: links, help, the theme, and who is signed in. */
@Component({
  selector: 'sw-header-menu',
  imports: [CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemRadio, CdkMenuTrigger, Icon, RouterLink],
  template: `
    <button type="button" class="btn icon" aria-label="Menu" title="Menu" [cdkMenuTriggerFor]="menu">
      <sw-icon name="menu" />
    </button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @for (page of pages(); track page.path) {
          <a cdkMenuItem [routerLink]="page.path"><sw-icon [name]="page.icon" />{{ page.text }}</a>
        }
        @for (link of links(); track link.href) {
          <a cdkMenuItem target="_blank" rel="noopener" [href]="link.href">
            <sw-icon [name]="link.icon" />{{ link.text }}<sw-icon class="tail" name="external" [size]="14" />
            <span class="sr-only">(new window)</span>
          </a>
        }
        @if (help(); as open) {
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="open()">
            <sw-icon name="info" />Keyboard shortcuts<kbd class="tail" aria-hidden="true">?</kbd>
          </button>
        }
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
          <div cdkMenuGroup [attr.aria-label]="'Signed in as ' + user.username">
            <div class="group cut" aria-hidden="true">Signed in as {{ user.username }}</div>
            <a cdkMenuItem routerLink="/sessions"><sw-icon name="key" />Sessions and access tokens</a>
            <button type="button" cdkMenuItem (cdkMenuItemTriggered)="leave.signOut()">
              <sw-icon name="sign-out" />Sign out
            </button>
          </div>
        } @else if (isOpen) {
          <hr />
          <a cdkMenuItem routerLink="/sessions"><sw-icon name="key" />Access tokens</a>
        }
      </div>
    </ng-template>
  `,
})
export class HeaderMenu {
  protected readonly theme = inject(Theme);
  protected readonly session = inject(SignInSession);
  protected readonly leave = inject(SignOut);
  /** Without sign-in there are no sessions, but access tokens. */
  protected readonly isOpen = inject(PAGE_SESSION) === 'open';
  readonly pages = input<readonly MenuPage[]>([]);
  readonly links = input.required<readonly MenuLink[]>();
  /** Shows the keyboard shortcuts, where there are any. */
  readonly help = input<(() => void) | null>(null);
  protected readonly themes: readonly { value: ThemeChoice; text: string; icon: IconName }[] = [
    { value: 'light', text: 'Light', icon: 'sun' },
    { value: 'dark', text: 'Dark', icon: 'moon' },
    { value: 'system', text: 'As the system', icon: 'screen' },
  ];
}
