import { computed, Directive, effect, inject, Service, TemplateRef, ViewContainerRef } from '@angular/core';
import { SignInSession } from './sign-in-session';

export const READ_ONLY = $localize`This session is read-only. Sign in with the password of the user to change something.`;

/** Whether the session may change anything: that of a display, or of the read-only password, may only read. */
@Service()
export class SessionRights {
  private readonly session = inject(SignInSession);
  readonly mayChange = computed(() => this.session.user()?.role !== 'reader');
  readonly whyNot = computed(() => (this.mayChange() ? null : READ_ONLY));
}

/** Leaves out what would only be refused. */
@Directive({ selector: '[swMayChange]' })
export class MayChange {
  constructor() {
    const { mayChange } = inject(SessionRights);
    const view = inject(ViewContainerRef);
    const template = inject<TemplateRef<unknown>>(TemplateRef);
    effect(() => {
      view.clear();
      if (mayChange()) view.createEmbeddedView(template);
    });
  }
}
