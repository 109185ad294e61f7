import { CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemRadio, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { IconName } from '../ui/icon';
import { MenuItem } from '../ui/menu-item';
import { UI } from '../ui/ui';
import { PAGE_SESSION } from '../session/page-session';
import { SessionRights } from '../session/may-change';
import { SignInSession } from '../session/sign-in-session';
import { SignOut } from '../session/sign-out';
import { Shortcuts } from '../shortcuts/shortcuts';
import { served } from '../api/base-path';
import { Theme, type ThemeChoice } from '../browser/theme';

/** Open in new windows. */
const DOCUMENTATION: readonly { href: string; text: string; icon: IconName }[] = [
  { href: '/docs', text: $localize`API documentation`, icon: 'braces' },
  { href: '/redoc', text: $localize`Alternative API documentation`, icon: 'book' },
];

/** A page that the navigation does not list. */
export interface MenuPage {
  path: string;
  text: string;
  icon: IconName;
}

@Component({
  selector: 'sw-header-menu',
  imports: [CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemRadio, CdkMenuTrigger, MenuItem, RouterLink, UI],
  template: `
    <button swIconButton="menu" framed large label="Menu" i18n-label [cdkMenuTriggerFor]="menu"></button>
    <ng-template #menu>
      <div cdkMenu class="menu">
        @for (page of pages(); track page.path) {
          <a cdkMenuItem [routerLink]="page.path"><sw-icon [name]="page.icon" />{{ page.text }}</a>
        }
        @for (link of links(); track link.href) {
          <a cdkMenuItem target="_blank" rel="noopener" [href]="served(link.href)">
            <sw-icon [name]="link.icon" />{{ link.text }}<sw-icon class="tail" name="external" [size]="14" />
            <span class="sr-only" i18n>(new window)</span>
          </a>
        }
        <button i18n data-local swMenuItem="info" (chosen)="shortcuts.open()">
          Keyboard shortcuts<kbd class="tail" aria-hidden="true">?</kbd>
        </button>
        <hr />
        <div cdkMenuGroup aria-label="Theme" i18n-aria-label>
          <div class="group" aria-hidden="true" i18n>Theme</div>
          @for (option of themes; track option.value) {
            <button
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
          <div cdkMenuGroup swAriaLabel="Signed in as {{ user.username }}" i18n-swAriaLabel>
            <div class="group cut" aria-hidden="true" i18n>Signed in as {{ user.username }}</div>
            @if (rights.mayChange()) {
              <a cdkMenuItem routerLink="/sessions"
                ><sw-icon name="key" /><ng-container i18n>Sessions and access tokens</ng-container></a
              >
            }
            <button i18n swMenuItem="sign-out" (chosen)="signOut.signOut()">Sign out</button>
          </div>
        } @else if (isOpen) {
          <hr />
          <a cdkMenuItem routerLink="/sessions"
            ><sw-icon name="key" /><ng-container i18n>Access tokens</ng-container></a
          >
        }
      </div>
    </ng-template>
  `,
})
export class HeaderMenu {
  protected readonly served = served;
  protected readonly shortcuts = inject(Shortcuts);
  protected readonly theme = inject(Theme);
  protected readonly session = inject(SignInSession);
  protected readonly rights = inject(SessionRights);
  protected readonly signOut = inject(SignOut);
  /** Sign-in is off: there are access tokens, but no sessions. */
  protected readonly isOpen = inject(PAGE_SESSION) === 'open';
  readonly pages = input<readonly MenuPage[]>([]);
  /** The URL of the application's health. */
  readonly health = input.required<string>();
  protected readonly links = computed(() => [
    ...DOCUMENTATION,
    { href: this.health(), text: $localize`Health`, icon: 'pulse' as const },
  ]);
  protected readonly themes: readonly { value: ThemeChoice; text: string; icon: IconName }[] = [
    { value: 'light', text: $localize`Light`, icon: 'sun' },
    { value: 'dark', text: $localize`Dark`, icon: 'moon' },
    { value: 'system', text: $localize`System`, icon: 'screen' },
  ];
}
