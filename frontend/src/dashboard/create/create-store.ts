import { effect, Service, signal } from '@angular/core';
import { readStored, store } from '../../shared/browser/browser-storage';
import { type CreateModel, emptyModel } from './create-model';

const STORAGE_KEY = 'slipway.create-cluster';

/** The entries of the form. They survive closing the dialog and reloading the page, until a cluster is created. */
@Service()
export class CreateStore {
  readonly model = signal<CreateModel>({
    ...emptyModel(),
    ...(readStored(STORAGE_KEY, 'sessionStorage') as Partial<CreateModel> | null),
  });

  /** The entries of the last creation, for a retry. */
  readonly sent = signal<{ jobId: number; model: CreateModel } | undefined>(undefined);

  constructor() {
    effect(() => store(STORAGE_KEY, this.model(), 'sessionStorage'));
  }

  /** Empties the form for the next cluster. */
  accept(jobId: number): void {
    this.sent.set({ jobId, model: this.model() });
    this.model.set(emptyModel());
  }

  change(part: Partial<CreateModel>): void {
    this.model.update((model) => ({ ...model, ...part }));
  }
}
