import {
  afterNextRender,
  Component,
  computed,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { Clock } from '../live/clock';
import { plural } from '../format/format';
import { Icon } from '../ui/icon';
import { SignInSession } from './sign-in-session';

interface Wait {
  seconds: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** User name and password, as password managers know them, with what went wrong and how long to wait. */
@Component({
  selector: 'sw-sign-in-form',
  imports: [Icon],
  templateUrl: './sign-in-form.html',
  styleUrl: './sign-in-form.scss',
})
export class SignInForm {
  private readonly session = inject(SignInSession);
  private readonly clock = inject(Clock);
  private readonly passwordField = viewChild.required<ElementRef<HTMLInputElement>>('password');
  private readonly userField = viewChild.required<ElementRef<HTMLInputElement>>('user');

  /** Whose session goes on; empty where somebody may choose. */
  readonly username = input('');
  readonly signedIn = output();

  protected readonly shown = signal(false);
  protected readonly sending = signal(false);
  protected readonly capsLock = signal(false);
  private readonly problem = signal<ApiProblem | null>(null);
  private readonly held = signal<Wait | null>(null);
  /** Seconds until the next try is taken. */
  protected readonly wait = computed(() => {
    const held = this.held();
    if (held === null) return 0;
    // The clock ticks by the second, and may be behind.
    return Math.min(held.seconds, Math.max(0, Math.ceil((held.until - this.clock.now()) / 1000)));
  });
  protected readonly waited = computed(() => this.held() !== null && this.wait() === 0);
  protected readonly isWrong = computed(() => this.problem()?.code === 'unauthorized');
  protected readonly message = computed(() => {
    const problem = this.problem();
    switch (problem?.code) {
      case undefined:
        return null;
      case 'unauthorized':
        return 'User name or password is wrong.';
      case 'too_many_requests':
        return 'There were too many tries.';
      case 'offline':
        return 'Slipway does not answer. Is it still running?';
      default:
        return problem?.message ?? null;
    }
  });
  /** The same for who listens: the wait as it began, and its end. */
  protected readonly spoken = computed(() => {
    const message = this.message();
    if (message === null) return '';
    const held = this.held();
    if (held === null) return message;
    if (this.waited()) return 'You can try again now.';
    return `${message} The next try is taken in ${plural(held.seconds, 'second')}.`;
  });

  constructor() {
    // Where one may choose, a page of its own; a dialog sets the focus itself.
    afterNextRender(() => {
      if (this.username() === '') this.userField().nativeElement.focus();
    });
  }

  /** Password managers fill fields in with events that know no keys. */
  protected noteCapsLock(event: Event): void {
    if (event instanceof KeyboardEvent) this.capsLock.set(event.getModifierState('CapsLock'));
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending() || this.wait() > 0) return;
    const username = this.username() || this.userField().nativeElement.value.trim();
    const password = this.passwordField().nativeElement.value;
    if (username === '' || password === '') {
      (username === '' ? this.userField() : this.passwordField()).nativeElement.focus();
      return;
    }
    // A field that shows its text would be remembered as text.
    this.shown.set(false);
    this.sending.set(true);
    this.problem.set(null);
    this.held.set(null);
    try {
      await this.session.signIn(username, password);
      this.signedIn.emit();
    } catch (thrown) {
      this.sending.set(false);
      this.fail(ApiProblem.of(thrown));
    }
  }

  private fail(problem: ApiProblem): void {
    const seconds = waitOf(problem);
    this.problem.set(problem);
    this.held.set(seconds > 0 ? { seconds, until: Date.now() + seconds * 1000 } : null);
    const field = this.passwordField().nativeElement;
    field.focus();
    field.select();
  }
}

function waitOf({ details }: ApiProblem): number {
  const { retry_after_seconds: seconds } = (details ?? {}) as { retry_after_seconds?: unknown };
  return typeof seconds === 'number' ? seconds : 0;
}
