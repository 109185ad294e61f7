import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AlertDto, SaveAlertDto } from '../../shared/api/api-types';
import { anAlert } from '../../shared/testing/alert-records';
import { provideApi } from '../../shared/testing/fake-api';
import { AlertDialog } from './alert-dialog';

describe('AlertDialog', () => {
  let asked: SaveAlertDto[];
  let closed: unknown[];
  let previewed: unknown[];
  let answer: () => Promise<AlertDto>;

  beforeEach(() => {
    asked = [];
    closed = [];
    previewed = [];
    answer = () => Promise.resolve(anAlert());
  });

  async function show(edited: AlertDto | null): Promise<ComponentFixture<AlertDialog>> {
    const save = (request: SaveAlertDto): Promise<AlertDto> => {
      asked.push(request);
      return answer();
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: DIALOG_DATA, useValue: edited },
        { provide: DialogRef, useValue: { close: (saved: unknown) => closed.push(saved) } },
        provideApi({
          'GET /api/sources': () => Promise.resolve([]),
          'POST /api/alerts/preview': (_params, condition) => {
            previewed.push(condition);
            return Promise.resolve({
              ...{ fired: 3, lines: 41, reason: 'complete', last_fired_at: null },
              since: new Date(Date.now() - 24 * 3_600_000).toISOString(),
            });
          },
          'POST /api/alerts': (_params, request) => save(request),
          'PUT /api/alerts/{id}': (_params, request) => save(request),
        }),
      ],
    });
    const fixture = TestBed.createComponent(AlertDialog);
    await fixture.whenStable();
    return fixture;
  }

  function control(fixture: ComponentFixture<unknown>, css: string): HTMLElement {
    const found = (fixture.nativeElement as HTMLElement).querySelector<HTMLElement>(css);
    if (!found) throw new Error(`there is no ${css}`);
    return found;
  }

  function hint(fixture: ComponentFixture<unknown>, css: string): string {
    return control(fixture, `#${control(fixture, css).getAttribute('aria-describedby') ?? ''}`).textContent;
  }

  async function choose(fixture: ComponentFixture<unknown>, form: string): Promise<void> {
    const select = control(fixture, '#alert-form') as HTMLSelectElement;
    select.value = form;
    select.dispatchEvent(new Event('input'));
    await fixture.whenStable();
  }

  async function type(fixture: ComponentFixture<unknown>, name: string, value: string): Promise<void> {
    const input = control(fixture, `#alert-${name}`) as HTMLInputElement;
    input.value = value;
    input.dispatchEvent(new Event('input'));
    await fixture.whenStable();
  }

  async function send(fixture: ComponentFixture<unknown>): Promise<void> {
    control(fixture, 'form').dispatchEvent(new Event('submit', { cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve));
    await fixture.whenStable();
  }

  it('proposes a name, and says how often the alert would have fired', async () => {
    const fixture = await show(null);
    const name = control(fixture, '#alert-name') as HTMLInputElement;
    expect(name.placeholder).toBe('Any line');
    const said = (): string => control(fixture, '.preview').textContent.trim();
    await type(fixture, 'text', 'timeout');
    expect(name.placeholder).toBe('Timeout');
    expect(said()).toBe('Would have fired 3 times in the last 24 hours (41 lines).');
    expect(previewed.at(-1)).toMatchObject({ query: { text: 'timeout' }, threshold: 1 });
    await send(fixture);
    expect(asked[0]?.name).toBe('Timeout');
  });

  it('offers the webhook formats with a hint for each', async () => {
    const fixture = await show(null);
    const page = fixture.nativeElement as HTMLElement;
    expect(page.querySelector('#alert-form')).toBeNull();
    const [, hook] = [...page.querySelectorAll('fieldset:last-of-type input[type=checkbox]')];
    (hook as HTMLInputElement).click();
    await fixture.whenStable();
    const select = control(fixture, '#alert-form') as HTMLSelectElement;
    expect(select.value).toBe('slipway');
    expect([...select.options].map(({ value }) => value)).toEqual([
      'slipway',
      'slack',
      'discord',
      'teams',
      'ntfy',
    ]);
    await choose(fixture, 'ntfy');
    expect((control(fixture, '#alert-url') as HTMLInputElement).placeholder).toContain('ntfy.sh');
    expect(hint(fixture, '#alert-url')).toContain('topic');
    await type(fixture, 'name', 'Fatal');
    await type(fixture, 'url', 'https://ntfy.sh/mine');
    await send(fixture);
    expect(asked).toMatchObject([{ name: 'Fatal', webhook: { url: 'https://ntfy.sh/mine', form: 'ntfy' } }]);
    expect(closed).toEqual([anAlert()]);
  });

  it('keeps the webhook format of an existing alert', async () => {
    const webhook = { url: 'https://chat.example.org/hook', form: 'teams', has_secret: true } as const;
    const fixture = await show(anAlert({ webhook }));
    expect((control(fixture, '#alert-form') as HTMLSelectElement).value).toBe('teams');
    await send(fixture);
    expect(asked[0]?.webhook).toEqual({ url: webhook.url, form: 'teams' });
  });

  it('shows the errors of the response at their fields, and the others below', async () => {
    const webhook = { url: 'https://chat.example.org/hook', form: 'slack', has_secret: false } as const;
    const fixture = await show(anAlert({ webhook }));
    answer = () =>
      Promise.reject(
        new ApiProblem('invalid_input', 'Refused.', 400, [
          { field: 'webhook.url', problem: 'leads nowhere' },
          { field: 'priority', problem: 'must be another' },
        ]),
      );
    await send(fixture);
    expect(hint(fixture, '#alert-url')).toContain('Leads nowhere');
    expect(control(fixture, 'sw-notice').textContent).toContain('priority: Must be another.');
    expect(closed).toEqual([]);
  });
});
