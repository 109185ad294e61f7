import {
  afterNextRender,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { Clock } from '../browser/clock';
import { Icon } from '../ui/icon';
import { IconButton } from '../ui/icon-button';
import { SignInSession } from './sign-in-session';
import { secondCount } from '../format/format';

interface Wait {
  seconds: number;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Sign-in form that password managers recognize; shows errors and the wait after failed attempts. */
@Component({
  selector: 'sw-sign-in-form',
  imports: [Icon, IconButton],
  templateUrl: './sign-in-form.html',
  styleUrl: './sign-in-form.scss',
})
export class SignInForm {
  private readonly session = inject(SignInSession);
  private readonly clock = inject(Clock);
  private readonly passwordField = viewChild.required<ElementRef<HTMLInputElement>>('password');
  private readonly userField = viewChild.required<ElementRef<HTMLInputElement>>('user');

  /** The user whose session continues; empty if the user name can be entered. */
  readonly username = input('');
  /** Whether a password that only reads is not enough. */
  readonly full = input(false);
  readonly signedIn = output();

  protected readonly shown = signal(false);
  protected readonly hideTitle = $localize`Hide password`;
  protected readonly sending = signal(false);
  protected readonly capsLock = signal(false);
  private readonly problem = signal<ApiProblem | null>(null);
  /** A field was empty when the form was submitted. */
  protected readonly missing = signal(false);
  private readonly held = signal<Wait | null>(null);
  protected readonly wait = computed(() => {
    const held = this.held();
    if (held === null) return 0;
    // The clock ticks every second and may be late.
    return Math.min(held.seconds, Math.max(0, Math.ceil((held.until - this.clock.local()) / 1000)));
  });
  /** The user submitted during the wait, so the form is sent at its end. */
  protected readonly queued = signal(false);
  protected readonly waitIsOver = computed(() => this.held() !== null && this.wait() === 0);
  protected readonly isWrong = computed(() =>
    ['unauthorized', 'insufficient_scope'].includes(this.problem()?.code ?? ''),
  );
  protected readonly message = computed(() => {
    if (this.missing()) return $localize`Enter the user name and the password.`;
    const problem = this.problem();
    switch (problem?.code) {
      case undefined:
        return null;
      case 'unauthorized':
        return $localize`The user name or password is wrong.`;
      case 'too_many_requests':
        return $localize`Too many attempts.`;
      case 'offline':
        return $localize`Slipway does not respond. Check that it is running.`;
      default:
        return problem?.message ?? null;
    }
  });
  /** The text for screen readers: the wait at its start, and its end. */
  protected readonly spoken = computed(() => {
    const message = this.message();
    if (message === null) return '';
    const held = this.held();
    if (held === null) return message;
    if (this.waitIsOver()) return $localize`You can try again now.`;
    if (this.queued()) return $localize`Signs in when the wait is over.`;
    return $localize`${message}:problem: Try again in ${secondCount(held.seconds)}:duration:.`;
  });

  constructor() {
    // On the page; a dialog sets the focus itself.
    afterNextRender(() => {
      if (this.username() === '') this.userField().nativeElement.focus();
    });
    effect(() => {
      if (this.queued() && this.wait() === 0) void this.send();
    });
  }

  /** Password managers send events without a key. */
  protected noteCapsLock(event: Event): void {
    if (event instanceof KeyboardEvent) this.capsLock.set(event.getModifierState('CapsLock'));
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.wait() > 0) this.queued.set(true);
    else await this.send();
  }

  private async send(): Promise<void> {
    this.queued.set(false);
    if (this.sending()) return;
    const username = this.username() || this.userField().nativeElement.value.trim();
    const password = this.passwordField().nativeElement.value;
    this.missing.set(username === '' || password === '');
    if (this.missing()) {
      this.problem.set(null);
      (username === '' ? this.userField() : this.passwordField()).nativeElement.focus();
      return;
    }
    // Browsers would store a visible password as plain form data.
    this.shown.set(false);
    this.sending.set(true);
    this.problem.set(null);
    this.held.set(null);
    try {
      await this.session.signIn(username, password, this.full() ? 'full' : undefined);
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
