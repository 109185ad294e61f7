import { Service, signal } from '@angular/core';
import { type CreateDraft, emptyDraft } from './create-draft';

const KEY = 'slipway.new-cluster';

/** Keeps what was typed, also across a reload of the page, until a cluster was made from it. */
@Service()
export class CreateDraftKeeper {
  readonly draft = signal<CreateDraft>(this.read());

  change(part: Partial<CreateDraft>): void {
    this.draft.update((draft) => ({ ...draft, ...part }));
    this.write();
  }

  clear(): void {
    this.draft.set(emptyDraft());
    this.write();
  }

  private read(): CreateDraft {
    try {
      const kept = sessionStorage.getItem(KEY);
      return kept ? { ...emptyDraft(), ...(JSON.parse(kept) as Partial<CreateDraft>) } : emptyDraft();
    } catch {
      return emptyDraft();
    }
  }

  private write(): void {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.draft()));
    } catch {
      // Storage may be closed to us: the draft then lives as long as the page.
    }
  }
}
