import { effect, Service, signal } from '@angular/core';
import { type CreateModel, emptyModel } from './create-model';

const STORAGE_KEY = 'slipway.create-cluster';

/** The entries of the form. They survive closing the dialog and reloading the page, until a cluster is created. */
@Service()
export class CreateStore {
  readonly model = signal<CreateModel>(read());

  constructor() {
    effect(() => {
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify(this.model()));
      } catch {
        // Without storage, the entries are lost on reload.
      }
    });
  }

  change(part: Partial<CreateModel>): void {
    this.model.update((model) => ({ ...model, ...part }));
  }
}

function read(): CreateModel {
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY) ?? '{}';
    return { ...emptyModel(), ...(JSON.parse(stored) as Partial<CreateModel>) };
  } catch {
    return emptyModel();
  }
}
