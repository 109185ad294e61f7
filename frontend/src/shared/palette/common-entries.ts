import { DOCUMENT, inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { served } from '../api/base-path';
import { Theme } from '../browser/theme';
import { SessionRights } from '../session/may-change';
import { PAGE_SESSION } from '../session/page-session';
import { SignOut } from '../session/sign-out';
import { Shortcuts } from '../shortcuts/shortcuts';
import type { IconName } from '../ui/icon';
import type { PaletteEntry } from './palette-entry';

/** The words are searched, but not shown. */
export type PageRow = readonly [path: string, icon: IconName, text: string, words: string];

const SESSIONS: PageRow = [
  '/sessions',
  'key',
  $localize`Sessions and access tokens`,
  'signed in devices api tokens',
];
const ACCESS_TOKENS: PageRow = ['/sessions', 'key', $localize`Access tokens`, 'api scripts programs bearer'];
const API_DOCUMENTATION: PageRow = ['/docs', 'braces', $localize`API documentation`, 'swagger openapi rest'];

/** Palette entries that both applications have. */
@Service()
export class CommonEntries {
  private readonly document = inject(DOCUMENT);
  private readonly router = inject(Router);
  private readonly isOpen = inject(PAGE_SESSION) === 'open';
  private readonly rights = inject(SessionRights);
  private readonly shortcuts = inject(Shortcuts);
  private readonly signOut = inject(SignOut);
  private readonly theme = inject(Theme);

  /** @param other the link to the other application */
  pages(pages: readonly PageRow[], other: PageRow): PaletteEntry[] {
    const entry = ([path, icon, text, words]: PageRow, more: Partial<PaletteEntry>): PaletteEntry => ({
      id: `page ${path}`,
      group: 'pages',
      icon,
      text,
      detail: '',
      words: `page ${words}`,
      run: () => this.go(path),
      ...more,
    });
    const sessions = this.rights.mayChange() ? [this.isOpen ? ACCESS_TOKENS : SESSIONS] : [];
    return [
      ...[...pages, ...sessions].map((page) => entry(page, {})),
      ...[other, API_DOCUMENTATION].map((page) =>
        entry(page, {
          detail: $localize`New window`,
          needsServer: true,
          run: () => this.document.defaultView?.open(served(page[0]), '_blank', 'noopener'),
        }),
      ),
    ];
  }

  /** Themes, keyboard shortcuts, signing out. */
  actions(): PaletteEntry[] {
    const theme = 'colors appearance';
    const signOut = actionEntry('sign-out', $localize`Sign out`, 'leave log out', () =>
      this.signOut.signOut(),
    );
    return [
      actionEntry('info', $localize`Keyboard shortcuts`, 'keys help', () => this.shortcuts.open()),
      actionEntry('sun', $localize`Light theme`, theme, () => this.theme.choose('light')),
      actionEntry('moon', $localize`Dark theme`, theme, () => this.theme.choose('dark')),
      actionEntry('screen', $localize`System theme`, theme, () => this.theme.choose('system')),
      ...(this.isOpen ? [] : [{ ...signOut, needsServer: true }]),
    ];
  }

  async go(url: string): Promise<void> {
    await this.router.navigateByUrl(url);
    this.document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}

export function actionEntry(icon: IconName, text: string, words: string, run: () => unknown): PaletteEntry {
  return { id: `do ${icon}`, group: 'actions', icon, text, detail: '', words, run };
}
