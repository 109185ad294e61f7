import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Dialog } from '@angular/cdk/dialog';
import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { firstValueFrom, lastValueFrom, Subject } from 'rxjs';
import { Api } from '../api/api';
import { apiProblems } from '../api/api-problem';
import { tokenResponse, UNAUTHORIZED } from '../testing/session-responses';
import { DialogHistory } from '../ui/dialog-history';
import { bearer } from './bearer';
import { SignInAgain } from './sign-in-again';
import { SignInSession } from './sign-in-session';

const REFUSED = { status: 401, statusText: 'Unauthorized' };

describe('bearer interceptor', () => {
  let http: HttpTestingController;
  let client: HttpClient;
  let session: SignInSession;
  /** The opened password dialogs, which the test answers. */
  let asked: Subject<boolean>[];

  beforeEach(async () => {
    asked = [];
    const dialog = {
      open: () => {
        const closed = new Subject<boolean>();
        asked.push(closed);
        return { closed };
      },
    };
    TestBed.configureTestingModule({
      providers: [
        provideHttpClient(withInterceptors([bearer, apiProblems])),
        provideHttpClientTesting(),
        { provide: DialogHistory, useValue: { leave: () => undefined, follow: () => undefined } },
        { provide: Dialog, useValue: dialog },
      ],
    });
    http = TestBed.inject(HttpTestingController);
    client = TestBed.inject(HttpClient);
    session = TestBed.inject(SignInSession);
    const signingIn = session.signIn('admin', 'x');
    http.expectOne('/api/auth/login').flush(tokenResponse('first'));
    await signingIn;
  });

  /** Lets pending callbacks run. */
  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
  }

  /** @returns the token of a request */
  function answer(url: string, status: 200 | 401): string | null {
    const test = http.expectOne(url);
    if (status === 200) test.flush({ ok: true });
    else test.flush(UNAUTHORIZED, REFUSED);
    return test.request.headers.get('authorization');
  }

  async function signInAgain(): Promise<void> {
    const signingIn = session.signIn('admin', 'x');
    http.expectOne('/api/auth/login').flush(tokenResponse('second'));
    await signingIn;
    asked.at(-1)?.next(true);
    await settle();
  }

  it('sends the token to the API only', async () => {
    const call = firstValueFrom(client.get('/api/v1/clusters'));
    expect(answer('/api/v1/clusters', 200)).toBe('Bearer first');
    await call;
    const foreign = firstValueFrom(client.get('https://elsewhere.example/api/x'));
    expect(answer('https://elsewhere.example/api/x', 200)).toBeNull();
    await foreign;
  });

  it('sends the token with an upload, and repeats a rejected one', async () => {
    const route = 'POST /api/v1/clusters/{name}/images/upload';
    const upload = lastValueFrom(TestBed.inject(Api).upload(route, { name: 'shop' }, new Blob()));
    expect(answer('/api/v1/clusters/shop/images/upload', 401)).toBe('Bearer first');
    http.expectOne('/api/auth/token').flush(tokenResponse('restored'));
    await settle();
    expect(answer('/api/v1/clusters/shop/images/upload', 200)).toBe('Bearer restored');
    expect(await upload).toMatchObject({ body: { ok: true } });
  });

  it('repeats a rejected call with the token of the session cookie', async () => {
    const call = firstValueFrom(client.get('/api/v1/clusters'));
    answer('/api/v1/clusters', 401);
    http.expectOne('/api/auth/token').flush(tokenResponse('restored'));
    await settle();
    expect(answer('/api/v1/clusters', 200)).toBe('Bearer restored');
    expect(await call).toEqual({ ok: true });
    expect(asked).toHaveLength(0);
  });

  it('prompts for the password once for all rejected calls, and repeats them', async () => {
    const calls = ['/api/v1/clusters', '/api/v1/jobs'].map((url) => firstValueFrom(client.get(url)));
    answer('/api/v1/clusters', 401);
    answer('/api/v1/jobs', 401);
    answer('/api/auth/token', 401);
    await settle();
    // A third call while the dialog is open.
    calls.push(firstValueFrom(client.get('/api/v1/stats')));
    answer('/api/v1/stats', 401);
    await settle();
    expect(asked).toHaveLength(1);
    await signInAgain();
    for (const url of ['/api/v1/clusters', '/api/v1/jobs', '/api/v1/stats']) {
      expect(answer(url, 200)).toBe('Bearer second');
    }
    expect(await Promise.all(calls)).toHaveLength(3);
  });

  it('fails with the rejection if the sign-in dialog is canceled', async () => {
    const call = firstValueFrom(client.get('/api/v1/clusters'));
    call.catch(() => undefined);
    answer('/api/v1/clusters', 401);
    answer('/api/auth/token', 401);
    await settle();
    asked[0]?.next(false);
    await expect(call).rejects.toMatchObject({ code: 'unauthorized' });
    http.verify();

    const circle = firstValueFrom(client.get('/api/v1/jobs'));
    circle.catch(() => undefined);
    answer('/api/v1/jobs', 401);
    http.expectOne('/api/auth/token').flush(tokenResponse('restored'));
    await settle();
    answer('/api/v1/jobs', 401);
    await expect(circle).rejects.toMatchObject({ code: 'unauthorized' });
    http.verify();
  });

  it('repeats a call after a second while Slipway looks for engines, without a prompt', async () => {
    const call = firstValueFrom(client.get('/api/v1/clusters'));
    jest.useFakeTimers();
    http.expectOne('/api/v1/clusters').flush({ ...UNAUTHORIZED, code: 'looking_for_engines' }, REFUSED);
    jest.advanceTimersByTime(1000);
    jest.useRealTimers();
    expect(answer('/api/v1/clusters', 200)).toBe('Bearer first');
    await call;
    expect(asked).toHaveLength(0);
  });

  it('prompts for the password if a call needs it, and repeats the call', async () => {
    const call = firstValueFrom(client.post('/api/auth/tokens', {}));
    const problem = { ...UNAUTHORIZED, statusCode: 403, code: 'password_required' };
    http.expectOne('/api/auth/tokens').flush(problem, { status: 403, statusText: 'Forbidden' });
    await settle();
    expect(asked).toHaveLength(1);
    await signInAgain();
    expect(answer('/api/auth/tokens', 200)).toBe('Bearer second');
    await call;
  });

  it('prompts for the password again if a download needs it, whose error is a file too', async () => {
    const call = firstValueFrom(client.get('/api/v1/file', { responseType: 'blob' }));
    const problem = { ...UNAUTHORIZED, statusCode: 403, code: 'reauthentication_required' };
    // jsdom has no `Blob.text`.
    const body = Object.assign(new Blob(), { text: () => Promise.resolve(JSON.stringify(problem)) });
    http.expectOne('/api/v1/file').flush(body, { status: 403, statusText: 'Forbidden' });
    for (let turn = 0; asked.length === 0 && turn < 100; turn += 1) await settle();
    await signInAgain();
    http.expectOne('/api/v1/file').flush(new Blob(['content']));
    expect((await call).size).toBe(7);
  });

  it('restores the session for a socket ticket', async () => {
    const again = TestBed.inject(SignInAgain);
    const query = again.socketQuery();
    answer('/api/auth/ticket', 401);
    await settle();
    answer('/api/auth/token', 401);
    await settle();
    await signInAgain();
    const ticket = http.expectOne('/api/auth/ticket');
    expect(ticket.request.headers.get('authorization')).toBe('Bearer second');
    ticket.flush({ ticket: 'abc', expires_in: 30 });
    expect(await query).toBe('?token=abc');
  });
});
