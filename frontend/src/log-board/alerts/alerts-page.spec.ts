import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { Subject } from 'rxjs';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AlertDto, AlertFiringDto, SaveAlertDto } from '../../shared/api/api-types';
import { aFiring, anAlert } from '../../shared/testing/alert-records';
import { provideApi } from '../../shared/testing/fake-api';
import { Confirm } from '../../shared/ui/confirm';
import type { Question } from '../../shared/ui/confirm-dialog';
import { Toaster } from '../../shared/ui/toaster';
import { AlertNotifications } from './alert-notifications';
import { AlertsPage } from './alerts-page';

describe('AlertsPage', () => {
  let alerts: () => Promise<AlertDto[]>;
  let updated: [number, SaveAlertDto][];
  let update: () => Promise<AlertDto>;
  let removed: number[];
  let tested: AlertFiringDto;
  let asked: Question[];
  let fired: AlertFiringDto[];
  const firings = new Subject<AlertFiringDto>();
  const permission = signal('default');
  const firingNow = signal(0);

  beforeEach(() => {
    alerts = () => Promise.resolve([anAlert()]);
    update = () => Promise.resolve(anAlert());
    updated = [];
    removed = [];
    asked = [];
    tested = aFiring({ test: true });
    TestBed.configureTestingModule({
      providers: [
        provideRouter([]),
        { provide: AlertNotifications, useValue: { firings, firingNow, permission } },
        {
          provide: Confirm,
          useValue: { ask: (question: Question) => Promise.resolve(asked.push(question) > 0) },
        },
        provideApi({
          'GET /api/alerts': () => alerts(),
          'PUT /api/alerts/{id}': ({ id }, request) => {
            updated.push([Number(id), request]);
            return update();
          },
          'DELETE /api/alerts/{id}': ({ id }) => {
            removed.push(Number(id));
            alerts = () => Promise.resolve([]);
            return Promise.resolve();
          },
          'POST /api/alerts/{id}/test': () => Promise.resolve(tested),
          'GET /api/alerts/{id}/firings': () => Promise.resolve(fired),
        }),
      ],
    });
  });

  async function settle(fixture: ComponentFixture<unknown>): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    }
  }

  async function show(): Promise<ComponentFixture<AlertsPage>> {
    const fixture = TestBed.createComponent(AlertsPage);
    await settle(fixture);
    return fixture;
  }

  function page(fixture: ComponentFixture<unknown>): HTMLElement {
    return fixture.nativeElement as HTMLElement;
  }

  function text(fixture: ComponentFixture<unknown>): string {
    return page(fixture).textContent.replace(/\s+/g, ' ');
  }

  function button(fixture: ComponentFixture<unknown>, name: string): HTMLButtonElement {
    const found = [...page(fixture).querySelectorAll('button')].find(
      (one) => (one.getAttribute('aria-label') ?? one.textContent).replace(/\s+/g, ' ').trim() === name,
    );
    if (!found) throw new Error(`no button ${name}`);
    return found;
  }

  it('offers to create the first alert', async () => {
    alerts = () => Promise.resolve([]);
    expect(text(await show())).toContain('No alerts');
  });

  it('shows a load error with Retry', async () => {
    alerts = () => Promise.reject(new ApiProblem('offline', 'Slipway does not answer.', 0));
    const fixture = await show();
    expect(text(fixture)).toContain('Slipway does not answer.');
    alerts = () => Promise.resolve([anAlert()]);
    button(fixture, 'Try again').click();
    await settle(fixture);
    expect(text(fixture)).toContain('Payments time out');
    expect(text(fixture)).not.toContain('Slipway does not answer.');
  });

  it('shows the state of each alert, and reloads when one fires', async () => {
    const fixture = await show();
    expect(text(fixture)).toContain('OK');
    expect(text(fixture)).toContain('never fired');
    alerts = () =>
      Promise.resolve([
        anAlert({ state: 'firing', count: 12, last_fired_at: '2026-11-22T08:01:00.000Z', missed: 1200 }),
        anAlert({ id: 2, name: 'Off', enabled: false, problem: 'It was disabled.' }),
      ]);
    firings.next(aFiring());
    await settle(fixture);
    expect(text(fixture)).toContain('Firing');
    expect(text(fixture)).toContain('12 of 10 now');
    expect(text(fixture)).toContain('Skipped 1,200 lines: the regex could not keep up');
    expect(text(fixture)).toContain('It was disabled.');
  });

  it('lists firing alerts first, and keeps the order while it is open', async () => {
    const names = (fixture: ComponentFixture<unknown>): string[] =>
      [...page(fixture).querySelectorAll('b.name')].map((name) => name.textContent);
    const one = anAlert({ id: 1, name: 'A' });
    const two = anAlert({ id: 2, name: 'B', state: 'firing', count: 12 });
    alerts = () => Promise.resolve([one, two]);
    const fixture = await show();
    expect(names(fixture)).toEqual(['B', 'A']);
    const [nowFiring, nowQuiet] = [anAlert({ ...one, state: 'firing' }), anAlert({ ...two, state: 'quiet' })];
    alerts = () => Promise.resolve([nowFiring, nowQuiet, anAlert({ id: 3, name: 'C' })]);
    // The server pushes the number of firing alerts.
    firingNow.set(2);
    await settle(fixture);
    expect(names(fixture)).toEqual(['B', 'A', 'C']);
    expect(text(await show())).toMatch(/AFiring.*BOK.*COK/);
  });

  it('disables an alert, and restores the switch if that fails', async () => {
    const fixture = await show();
    update = () => Promise.reject(new ApiProblem('storage_unavailable', 'No room is left.', 503));
    const box = page(fixture).querySelector<HTMLInputElement>('input[role=switch]');
    box?.click();
    await settle(fixture);
    expect(updated).toMatchObject([[1, { name: 'Payments time out', enabled: false, threshold: 10 }]]);
    expect(box?.checked).toBe(true);
    expect(TestBed.inject(Toaster).toasts()[0]?.text).toBe('No room is left.');
  });

  it('tests an alert, and shows the delivery state', async () => {
    const fixture = await show();
    button(fixture, 'Test Payments time out').click();
    await settle(fixture);
    expect(TestBed.inject(Toaster).toasts()[0]).toMatchObject({ tone: 'done', text: 'No webhook.' });
    tested = aFiring({
      webhook: { state: 'failed', attempts: 1, status: 404, error: 'The webhook returned 404.' },
    });
    button(fixture, 'Test Payments time out').click();
    await settle(fixture);
    expect(TestBed.inject(Toaster).toasts()[1]).toMatchObject({
      tone: 'failed',
      text: 'The webhook returned 404.',
    });
  });

  it('links a firing to its line, unless the line is no longer kept', async () => {
    fired = [
      aFiring(),
      aFiring({ id: 2, kept: false }),
      aFiring({ id: 1, test: true, sample: null, kept: false }),
    ];
    const fixture = await show();
    button(fixture, 'History of Payments time out').click();
    await settle(fixture);
    const rows = [...page(fixture).querySelectorAll('.firing')];
    const links = rows.map((row) => row.querySelector('a')?.getAttribute('href') ?? null);
    const line = 'sources=container%2Fdocker%2F1&line=container%2Fdocker%2F1@4212';
    expect(links).toEqual([`/logs?${line}`, null, null]);
    expect(rows[0]?.querySelector('a')?.textContent).toContain('Show line 4,212 in logs');
    expect(rows.map((row) => row.textContent.includes('no longer has this line'))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('deletes an alert after confirmation', async () => {
    const fixture = await show();
    button(fixture, 'Delete Payments time out').click();
    await settle(fixture);
    expect([asked.length, removed]).toEqual([1, [1]]);
    expect(text(fixture)).toContain('No alerts');
  });
});
