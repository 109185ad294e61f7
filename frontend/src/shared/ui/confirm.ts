import { inject, Service } from '@angular/core';
import { Dialogs } from './dialogs';
import type { Question } from './confirm-dialog';

@Service()
export class Confirm {
  private readonly dialogs = inject(Dialogs);

  async ask(question: Question): Promise<boolean> {
    const isConfirmed = await this.dialogs.open<boolean>(
      () => import('./confirm-dialog').then((file) => file.ConfirmDialog),
      { data: question, asks: true },
    );
    return isConfirmed === true;
  }
}
