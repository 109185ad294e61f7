import { beforeEach, describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { provideHttpClient } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { Clock } from '../browser/clock';
import { tokenResponse, UNAUTHORIZED } from '../testing/session-responses';
import { SessionEndNote } from './session-end-note';
import { SESSION_CHANNEL } from './session-channel';
import { SignInSession } from './sign-in-session';

describe('SignInSession', () => {
  const now = signal(0);
  let session: SignInSession;
  let http: HttpTestingController;
  let announced: unknown[];
  let channel: { onmessage?: () => void; postMessage: (message: unknown) => void; close: () => void };

  beforeEach(() => {
    now.set(Date.now());
    announced = [];
    channel = { postMessage: (message) => announced.push(message), close: () => undefined };
    TestBed.configureTestingModule({
      providers: [
        provideHttpClient(),
        provideHttpClientTesting(),
        { provide: Clock, useValue: { local: now } },
        { provide: SESSION_CHANNEL, useValue: channel },
      ],
    });
    session = TestBed.inject(SignInSession);
    http = TestBed.inject(HttpTestingController);
  });

  async function signIn(expiresIn: number, token = 'first', renewable = false): Promise<void> {
    const signingIn = session.signIn('admin', 'the password');
    const { request, flush } = expectPost('login');
    expect(request.body).toEqual({ username: 'admin', password: 'the password' });
    flush(tokenResponse(token, expiresIn, renewable));
    await signingIn;
  }

  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
  }

  function expectPost(what: string): {
    request: { body: unknown; auth: string | null };
    flush: (body: object) => void;
    refuse: () => void;
  } {
    const test = http.expectOne({ method: 'POST', url: `/api/auth/${what}` });
    return {
      request: { body: test.request.body as unknown, auth: test.request.headers.get('authorization') },
      flush: (body) => test.flush(body),
      refuse: () => test.flush(UNAUTHORIZED, { status: 401, statusText: 'Unauthorized' }),
    };
  }

  it('has no user until sign-in', async () => {
    expect([session.user(), session.token, session.endingIn(), session.ended()]).toEqual([
      null,
      undefined,
      null,
      null,
    ]);
    await signIn(3600);
    expect([session.user()?.username, session.token]).toEqual(['admin', 'first']);
  });

  it('counts down its last five minutes independently of the server clock', async () => {
    await signIn(3600);
    const start = Date.now();
    now.set(start + 3_299_000);
    expect(session.endingIn()).toBeNull();
    now.set(start + 3_301_000);
    expect(session.endingIn()).toBeGreaterThanOrEqual(298);
    expect(session.endingIn()).toBeLessThanOrEqual(300);
    expect(session.ended()).toBeNull();
    now.set(start + 3_700_000);
    expect([session.endingIn(), session.ended()]).toEqual([0, 'expired']);
  });

  it('renews itself at half of its time, and announces its end only when it cannot be renewed', async () => {
    await signIn(3600, 'first', true);
    const start = Date.now();
    now.set(start + 1_790_000);
    TestBed.tick();
    http.verify();
    now.set(start + 1_801_000);
    TestBed.tick();
    const renewal = expectPost('renewal');
    now.set(start);
    renewal.flush(tokenResponse('second', 120));
    await settle();
    expect(session.token).toBe('second');
    expect(session.endingIn()).toBeGreaterThan(100);
  });

  it('tries a failed renewal again, and then shows the end', async () => {
    await signIn(400, 'first', true);
    const start = Date.now();
    now.set(start + 201_000);
    TestBed.tick();
    http.expectOne('/api/auth/renewal').error(new ProgressEvent('error'));
    await settle();
    TestBed.tick();
    expect([session.token, session.endingIn()]).toEqual(['first', null]);
    http.verify();
    now.set(start + 232_000);
    TestBed.tick();
    http.expectOne('/api/auth/renewal').flush(tokenResponse('second', 400));
    await settle();
    expect(session.token).toBe('second');
  });

  it('requests a token when the session has ended by the clock', async () => {
    await signIn(3600);
    now.set(Date.now() + 3_601_000);
    TestBed.tick();
    expect(session.ended()).toBe('expired');
    expectPost('token').flush(tokenResponse('same', 7200));
    await settle();
    expect([session.ended(), session.token]).toEqual([null, 'same']);
  });

  it('takes over the session of another tab, and announces its own', async () => {
    channel.onmessage?.();
    // Without a user, the open page prompts itself.
    http.verify();
    await signIn(3600);
    expect(announced).toEqual(['signed in']);
    now.set(Date.now() + 3_700_000);
    expect(session.ended()).toBe('expired');
    channel.onmessage?.();
    expectPost('token').flush(tokenResponse('second', 7200));
    await new Promise((resolve) => setTimeout(resolve));
    expect([session.token, session.ended(), announced.length]).toEqual(['second', null, 1]);
  });

  it('restores from the cookie once for concurrent callers', async () => {
    const asked = [session.restore(), session.restore()];
    expectPost('token').flush(tokenResponse('restored'));
    expect(await Promise.all(asked)).toEqual([true, true]);
    expect(session.token).toBe('restored');
  });

  it('counts as ended elsewhere after an early rejection, until the next sign-in', async () => {
    await signIn(3600);
    const restoring = session.restore();
    expectPost('token').refuse();
    expect(await restoring).toBe(false);
    expect(session.ended()).toBe('elsewhere');
    expect(session.user()?.username).toBe('admin');
    await signIn(3600, 'second');
    expect(session.ended()).toBeNull();
  });

  it('survives a server that does not respond', async () => {
    await signIn(3600);
    const restoring = session.restore();
    http.expectOne('/api/auth/token').error(new ProgressEvent('error'));
    expect(await restoring).toBe(false);
    expect(session.ended()).toBeNull();
  });

  it('issues tickets for its token, and has no user after sign-out', async () => {
    await signIn(3600);
    const asking = session.ticket();
    const ticket = expectPost('ticket');
    expect(ticket.request.auth).toBe('Bearer first');
    ticket.flush({ ticket: 'once', expires_in: 30 });
    expect(await asking).toBe('once');
    const leaving = session.signOut();
    expectPost('logout').flush({ id: 'x', reason: 'signed_out' });
    await leaving;
    expect([session.user(), session.token]).toEqual([null, undefined]);
  });

  it('continues if the sign-out fails', async () => {
    await signIn(3600);
    const leaving = session.signOut();
    http.expectOne('/api/auth/logout').error(new ProgressEvent('error'));
    await expect(leaving).rejects.toMatchObject({ code: 'offline' });
    expect(session.token).toBe('first');
  });

  it('announces its end with a text that rarely changes', async () => {
    const fixture = TestBed.createComponent(SessionEndNote);
    const host = fixture.nativeElement as HTMLElement;
    const said = async (left: number): Promise<string> => {
      now.set(start + (3600 - left) * 1000);
      await fixture.whenStable();
      return host.querySelector('[role=status]')?.textContent ?? 'no live region';
    };
    await signIn(3600);
    const start = Date.now();
    expect(await said(301.5)).toBe('');
    expect(await said(299)).toBe('Your session ends in less than 5 minutes.');
    expect(await said(61)).toBe('Your session ends in less than 2 minutes.');
    expect(await said(59)).toBe('Your session ends in less than a minute.');
    expect(await said(48)).toBe('Your session ends in less than 50 seconds.');
    expect(await said(43)).toBe('Your session ends in less than 50 seconds.');
    expect(await said(3)).toBe('Your session ends in less than 10 seconds.');
    expect(host.querySelector('button')?.textContent).toContain('Sign in again');
    expect(await said(-1)).toBe('Your session has ended.');
  });
});
