import {
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
import { Clock } from '../live/clock';
import { Icon } from '../ui/icon';
import { SignInSession } from './sign-in-session';

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
  protected readonly problem = signal<ApiProblem | null>(null);
  private readonly waitUntil = signal(0);
  /** Seconds until the next try is taken. */
  protected readonly wait = computed(() =>
    Math.max(0, Math.ceil((this.waitUntil() - this.clock.now()) / 1000)),
  );
  protected readonly message = computed(() => {
    const problem = this.problem();
    if (!problem) return null;
    if (problem.code === 'unauthorized') return 'User name or password is wrong.';
    if (problem.code === 'too_many_requests') return 'There were too many wrong tries.';
    return problem.message;
  });

  constructor() {
    effect(() => {
      if (this.problem()) this.passwordField().nativeElement.select();
    });
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
    this.sending.set(true);
    this.problem.set(null);
    try {
      await this.session.signIn(username, password);
      this.signedIn.emit();
    } catch (thrown) {
      const problem = ApiProblem.of(thrown);
      this.problem.set(problem);
      this.waitUntil.set(Date.now() + waitOf(problem) * 1000);
    } finally {
      this.sending.set(false);
    }
  }
}

function waitOf({ details }: ApiProblem): number {
  const { retry_after_seconds: seconds } = (details ?? {}) as { retry_after_seconds?: unknown };
  return typeof seconds === 'number' ? seconds : 0;
}
