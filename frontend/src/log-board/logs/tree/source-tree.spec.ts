import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { DeletedLinesDto, LogSourceDto, LogStoreDto } from '../../../shared/api/api-types';
import { provideApi } from '../../../shared/testing/fake-api';
import { Confirm } from '../../../shared/ui/confirm';
import type { Question } from '../../../shared/ui/confirm-dialog';
import { Toaster } from '../../../shared/ui/toaster';
import type { SourceSelection } from '../../search-model/source-group';
import { EMPTY_SELECTION } from '../../search-model/source-selection';
import { aLogStore } from '../../testing/make-log-store';
import { makeSource } from '../../../shared/testing/make-source';
import { SourceStyles } from '../sources/source-styles';
import { SourceTree } from './source-tree';

const POD = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' } as const;
const SHOP = { runtime: 'docker', cluster: 'dev', namespace: 'shop' };

describe('SourceTree', () => {
  let fixture: ComponentFixture<SourceTree>;
  let sources: LogSourceDto[];
  let selection: SourceSelection;
  let calls: unknown[];
  let asked: Question[];
  let answer: boolean;
  let store: LogStoreDto;
  let failure: ApiProblem | null;
  let deleted: number[];

  beforeEach(async () => {
    // jsdom has no layout.
    Element.prototype.scrollIntoView = () => undefined;
    calls = [];
    asked = [];
    answer = true;
    store = aLogStore();
    failure = null;
    deleted = [];
    sources = [
      makeSource({ id: 1, ...POD, key: 'x', name: 'cart-7d9f8b6c54-x2lqp', next_seq: 1201, bytes: 81_000 }),
      makeSource({ id: 2, ...POD, key: 'kz', name: 'cart-7d9f8b6c54-kz7rv' }),
      makeSource({ id: 3, key: 'redis', name: 'redis', next_seq: 5 }),
    ];
    const run = <TAnswer>(what: unknown, given: TAnswer): Promise<TAnswer> => {
      calls.push(what);
      return failure ? Promise.reject(failure) : Promise.resolve(given);
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: SourceStyles, useValue: { of: () => ({ name: '', title: '', hue: 1 }) } },
        provideApi({
          'GET /api/sources/{id}': ({ id }) =>
            run(
              ['one', id],
              sources.find((source) => source.id === id),
            ),
          'PUT /api/sources/{id}/intake': ({ id }, body) => run(['intake', id, body.taken_in], undefined),
          'DELETE /api/sources/{id}/history': ({ id }) =>
            run<DeletedLinesDto>(['delete', id], { lines: 1200, bytes: 81_000 }),
          'GET /api/log-store': () => Promise.resolve(store),
        }),
        {
          provide: Confirm,
          useValue: {
            ask: (question: Question) => {
              asked.push(question);
              return Promise.resolve(answer);
            },
          },
        },
      ],
    });
    fixture = createTree();
    await show(sources);
    for (const name of ['dev', 'Other containers']) await press(name, 'ArrowRight');
  });

  function createTree(): ComponentFixture<SourceTree> {
    fixture = TestBed.createComponent(SourceTree);
    fixture.componentInstance.selectionChange.subscribe((selected) => {
      selection = selected;
      fixture.componentRef.setInput('selection', selected);
    });
    fixture.componentInstance.deleted.subscribe((id) => deleted.push(id));
    selection = EMPTY_SELECTION;
    fixture.componentRef.setInput('selection', selection);
    return fixture;
  }

  async function show(now: LogSourceDto[]): Promise<void> {
    sources = now;
    fixture.componentRef.setInput('sources', now);
    await fixture.whenStable();
  }

  function row(name: string): HTMLElement {
    const rows = (fixture.nativeElement as HTMLElement).querySelectorAll<HTMLElement>('[role=treeitem]');
    const found = [...rows].find((one) => one.querySelector('.name')?.textContent.trim() === name);
    if (!found) throw new Error(`there is no row ${name}`);
    return found;
  }

  async function press(name: string, key: string, more: KeyboardEventInit = {}): Promise<void> {
    const one = row(name);
    one.focus();
    one.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
    await fixture.whenStable();
  }

  it('shows states as the dashboard does, and sizes and times of deleted sources', async () => {
    const last_time = new Date(Date.now() - 150_000).toISOString();
    const stored = { first_seq: 1, next_seq: 1205, bytes: 812_000, first_time: last_time, last_time };
    await show([
      makeSource({ id: 1, ...POD, key: 'x', name: 'cart-1-a', state: 'ended', reason: 'CrashLoopBackOff' }),
      makeSource({ id: 2, ...POD, key: 'y', name: 'cart-1-b', state: 'gone', ...stored }),
    ]);
    const stateOf = (name: string): string | undefined =>
      row(name).querySelector('.state')?.textContent.trim();
    expect(stateOf('cart a')).toBe('crash loop');
    expect(stateOf('cart b')).toMatch(/^812 kB · 2 min ago\s+deleted$/);
    expect(row('cart b').title).toMatch(/\ndeleted\n1,204 lines, 812 kB of text\nwritten from /);
  });

  function items(): HTMLButtonElement[] {
    return [...document.querySelectorAll<HTMLButtonElement>('.menu [role=menuitem]')];
  }

  function words(): string[] {
    return items().map((item) => item.textContent.trim());
  }

  async function take(word: string): Promise<void> {
    const item = items().find((one) => one.textContent.trim() === word);
    if (!item) throw new Error(`the menu has no ${word}`);
    item.click();
    await new Promise((resolve) => setTimeout(resolve));
    await fixture.whenStable();
  }

  function names(): string[] {
    const found = (fixture.nativeElement as HTMLElement).querySelectorAll('[role=treeitem] .name');
    return [...found].map((one) => one.textContent.trim());
  }

  function text(): string {
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ');
  }

  it('selects a group with its future sources', async () => {
    await press('shop', ' ');
    expect(selection).toEqual({ groups: [SHOP], keys: [] });
    expect(text()).toContain('2 of 3 sources, and new ones');
    await show([...sources, makeSource({ id: 4, ...POD, key: 'new', name: 'cart-5c9d8b7f6-b2c3d' })]);
    expect(row('cart b2c3d').getAttribute('aria-checked')).toBe('true');
    expect(row('shop').title).toContain('includes new sources');
    expect(text()).toContain('3 of 4 sources, and new ones');
    await press('cart kz7rv', ' ');
    expect(selection).toEqual({ groups: [], keys: ['new', 'x'] });
    expect(row('shop').getAttribute('aria-checked')).toBe('mixed');
  });

  it('opens collapsed, and keeps the groups as they are while sources are selected', async () => {
    fixture.destroy();
    fixture = createTree();
    await show(sources);
    expect(names()).toEqual(['dev', 'Other containers']);
    expect(text()).toContain('All 3 sources');
    await press('dev', ' ');
    expect(names()).toEqual(['dev', 'Other containers']);
    await press('dev', 'ArrowRight');
    await press('cart kz7rv', ' ');
    expect([selection.keys, names().length]).toEqual([['x'], 5]);
  });

  it('shows the sources of a link', async () => {
    fixture.destroy();
    fixture = createTree();
    const revealed: string[] = [];
    Element.prototype.scrollIntoView = function scroll(this: Element): void {
      revealed.push(this.querySelector('.name')?.textContent.trim() ?? '');
    };
    fixture.componentRef.setInput('selection', { groups: [SHOP], keys: [] });
    await show(sources);
    expect(names()).toEqual(['dev', 'shop', 'cart kz7rv', 'cart x2lqp', 'Other containers']);
    expect(revealed).toEqual(['dev']);
  });

  it('selects only the matches of a filter', async () => {
    const field = (fixture.nativeElement as HTMLElement).querySelector('input');
    if (!field) throw new Error('there is nothing to search with');
    field.value = 'x2lqp';
    field.dispatchEvent(new Event('input'));
    await fixture.whenStable();
    await press('shop', ' ');
    expect(selection).toEqual({ groups: [], keys: ['x'] });
  });

  it('moves by keys that follow before the opened rows are rendered', async () => {
    await press('dev', 'ArrowLeft');
    for (const key of ['ArrowRight', 'End', 'c']) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }
    expect(document.activeElement).toBe(row('cart kz7rv'));
  });

  it('selects only the row on Enter', async () => {
    await press('redis', ' ');
    await press('dev', 'Enter');
    expect(selection).toEqual({ groups: [{ runtime: 'docker', cluster: 'dev' }], keys: [] });
    await press('redis', 'Enter');
    expect(selection).toEqual({ groups: [], keys: ['redis'] });
  });

  it('opens the menu of a source with the keyboard, and restores the focus', async () => {
    await press('shop', 'F10', { shiftKey: true });
    expect(items()).toEqual([]);
    await press('cart x2lqp', 'F10', { shiftKey: true });
    expect(words()).toEqual([
      'Show only this source',
      'Show cart and its new pods',
      'Stop collecting',
      'Delete history …',
    ]);
    expect(document.activeElement).toBe(items()[0]);
    document.body.click();
    await fixture.whenStable();
    expect(items()).toEqual([]);
    expect(document.activeElement).toBe(row('cart x2lqp'));
  });

  it('opens the same menu by right click and by its button', async () => {
    const other = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2 });
    row('redis').dispatchEvent(other);
    await fixture.whenStable();
    expect(other.defaultPrevented).toBe(true);
    expect(words()).toContain('Show redis and its replacements');
    await take('Show redis and its replacements');
    expect(selection).toEqual({ groups: [{ runtime: 'docker', container: 'redis' }], keys: [] });
    row('cart kz7rv').querySelector<HTMLElement>('.more')?.click();
    await fixture.whenStable();
    // There is no history to delete.
    expect(words()).toEqual(['Show only this source', 'Show cart and its new pods', 'Stop collecting']);
    await take('Show only this source');
    expect(selection).toEqual({ groups: [], keys: ['kz'] });
  });

  it('stops collecting a source and resumes it', async () => {
    await press('redis', 'F10', { shiftKey: true });
    await take('Stop collecting');
    expect(calls).toEqual([['intake', 3, false]]);
    expect(TestBed.inject(Toaster).toasts()[0]?.title).toContain('Stopped collecting redis');
    const reason = 'It was left out.';
    await show(sources.map((one) => (one.id === 3 ? { ...one, state: 'left_out' as const, reason } : one)));
    expect(row('redis').textContent).toContain('not collected');
    await press('redis', 'F10', { shiftKey: true });
    await take('Resume collection');
    expect(calls).toEqual([
      ['intake', 3, false],
      ['intake', 3, true],
    ]);
  });

  it('deletes a history after confirmation', async () => {
    await show(
      sources.map((one) => ({
        ...one,
        first_time: '2026-11-21T09:40:56.804512Z',
        last_time: '2026-11-21T09:44:02.117003Z',
      })),
    );
    answer = false;
    await press('cart x2lqp', 'F10', { shiftKey: true });
    await take('Delete history …');
    expect(asked).toMatchObject([
      {
        title: 'Delete the history of dev / shop / cart-7d9f8b6c54-x2lqp?',
        losses: ['1,200 lines, 81.0 kB of text', expect.stringMatching(/^written from .* to /)],
        danger: true,
      },
    ]);
    expect(asked[0]?.text.join(' ')).toContain('are collected as before');
    expect([calls, deleted]).toEqual([[['one', 1]], []]);
    answer = true;
    await press('cart x2lqp', 'F10', { shiftKey: true });
    await take('Delete history …');
    expect(calls.at(-1)).toEqual(['delete', 1]);
    expect(deleted).toEqual([1]);
    expect(TestBed.inject(Toaster).toasts()[0]?.title).toContain('1,200 lines of');
  });

  it('says in the delete confirmation when VictoriaLogs removes the lines', async () => {
    store = aLogStore({ capabilities: { ...store.capabilities, deletion: 'hide' } });
    await press('redis', 'F10', { shiftKey: true });
    await take('Delete history …');
    expect(asked[0]?.text).toContain(
      'Slipway hides these lines. VictoriaLogs removes them when its retention ends.',
    );
  });

  it('says that a deleted source leaves the list with its history, and cannot be collected', async () => {
    await show(sources.map((one) => ({ ...one, state: 'gone' as const })));
    await press('Deleted', 'ArrowRight');
    await press('redis', 'F10', { shiftKey: true });
    expect(words()).toEqual(['Show only this source', 'Show redis and its replacements', 'Delete history …']);
    await take('Delete history …');
    expect(asked[0]?.text.join(' ')).toContain('removed from the list');
  });

  it('shows errors of the API', async () => {
    failure = new ApiProblem('storage_unavailable', 'No room is left.', 503);
    await press('redis', 'F10', { shiftKey: true });
    await take('Stop collecting');
    await press('redis', 'F10', { shiftKey: true });
    await take('Delete history …');
    expect(TestBed.inject(Toaster).toasts()).toHaveLength(2);
    expect(TestBed.inject(Toaster).toasts()[0]?.text).toBe('No room is left.');
    expect([asked, deleted]).toEqual([[], []]);
  });

  it('hides deleted sources on demand and counts them, while their group still selects them', async () => {
    const [first, second, redis] = sources;
    if (!first || !second || !redis) throw new Error('there are three');
    await show([{ ...first, state: 'gone' }, second, { ...redis, state: 'gone' }]);
    await press('Deleted', 'ArrowRight');
    const element = fixture.nativeElement as HTMLElement;
    const said = (): string[] => [...element.querySelectorAll('.foot')].map((one) => text(one));
    const text = (one: Element): string => one.textContent.replace(/\s+/g, ' ').trim();
    const turn = async (label: string): Promise<void> => {
      [...element.querySelectorAll<HTMLButtonElement>('.foot button')]
        .find((button) => text(button) === label)
        ?.click();
      await fixture.whenStable();
    };
    expect([said()[0], names().length]).toEqual(['2 deletedHide deleted sources', 7]);
    await turn('Hide deleted sources');
    expect([said()[0], names()]).toEqual([
      '2 deleted, hiddenShow deleted sources',
      ['dev', 'shop', 'cart kz7rv'],
    ]);
    await press('shop', ' ');
    expect(selection).toEqual({ groups: [SHOP], keys: [] });
    await press('shop', ' ');
    expect(selection).toEqual(EMPTY_SELECTION);
    // A source selected by key can be deselected.
    fixture.componentRef.setInput('selection', { groups: [], keys: ['redis'] });
    await fixture.whenStable();
    expect([said()[0], names()]).toEqual([
      '1 deleted, hiddenShow deleted sources',
      ['dev', 'shop', 'cart kz7rv', 'Deleted', 'Other containers', 'redis'],
    ]);
    await turn('Show deleted sources');
    expect(names()).toHaveLength(7);
  });
});
