import { DOCUMENT, effect, inject, Service, signal } from '@angular/core';

export type ThemeChoice = 'light' | 'dark' | 'system';

/** Also in public/theme.js, which sets the theme before the first paint. */
const KEY = 'slipway.theme';

@Service()
export class Theme {
  private readonly document = inject(DOCUMENT);
  readonly choice = signal<ThemeChoice>(this.read());

  constructor() {
    const { documentElement: root, defaultView: view } = this.document;
    effect(() => {
      const choice = this.choice();
      if (choice === 'system') delete root.dataset['theme'];
      else root.dataset['theme'] = choice;
    });
    view?.addEventListener('storage', ({ key }) => {
      if (key === KEY || key === null) this.choice.set(this.read());
    });
  }

  choose(choice: ThemeChoice): void {
    this.choice.set(choice);
    try {
      if (choice === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, choice);
    } catch {
      // Storage may be blocked: the choice then lasts until the page is closed.
    }
  }

  private read(): ThemeChoice {
    try {
      const stored = localStorage.getItem(KEY);
      return stored === 'light' || stored === 'dark' ? stored : 'system';
    } catch {
      return 'system';
    }
  }
}
