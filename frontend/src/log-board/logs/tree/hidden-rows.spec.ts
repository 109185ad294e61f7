import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { provideApi } from '../../../shared/testing/fake-api';
import { Confirm } from '../../../shared/ui/confirm';
import type { SourceSelection } from '../../search-model/source-group';
import { EMPTY_SELECTION } from '../../search-model/source-selection';
import { makeSource } from '../../../shared/testing/make-source';
import { SourceStyles } from '../sources/source-styles';
import { SourceTree } from './source-tree';

const POD = { kind: 'pod', cluster: 'dev', workload: 'Deployment/cart' } as const;
const SHOP = { runtime: 'docker', cluster: 'dev', namespace: 'shop' };

/** Rows of hidden deleted sources: they are never changed unseen, and the focus is never lost. */
describe('SourceTree with hidden sources', () => {
  let fixture: ComponentFixture<SourceTree>;
  let selection: SourceSelection;
  let sources: LogSourceDto[];

  beforeEach(async () => {
    // jsdom has no layout.
    Element.prototype.scrollIntoView = () => undefined;
    localStorage.setItem('slipway.logs', '{"gone":false}');
    TestBed.configureTestingModule({
      providers: [
        { provide: SourceStyles, useValue: { of: () => ({ name: '', title: '', hue: 1 }) } },
        provideApi({}),
        { provide: Confirm, useValue: {} },
      ],
    });
    fixture = TestBed.createComponent(SourceTree);
    document.body.append(element());
    fixture.componentInstance.selectionChange.subscribe((selected) => {
      selection = selected;
      fixture.componentRef.setInput('selection', selected);
    });
    selection = EMPTY_SELECTION;
    fixture.componentRef.setInput('selection', selection);
    sources = [
      makeSource({ id: 1, ...POD, namespace: 'shop', key: 'live', name: 'cart-7d9f8b6c54-x2lqp' }),
      makeSource({
        id: 2,
        ...POD,
        namespace: 'shop',
        key: 'old',
        name: 'cart-7d9f8b6c54-kz7rv',
        state: 'gone',
      }),
      makeSource({
        id: 3,
        ...POD,
        namespace: 'shop',
        workload: 'Deployment/web',
        key: 'web',
        name: 'web-5c9d8b7f6-b2c3d',
      }),
      makeSource({
        id: 4,
        ...POD,
        namespace: 'past',
        key: 'past',
        name: 'cart-6f6f6f6f6f-aaaaa',
        state: 'gone',
      }),
      makeSource({ id: 5, key: 'redis', name: 'redis' }),
      makeSource({ id: 6, key: 'mongo', name: 'mongo', state: 'gone' }),
    ];
    await show(sources);
    for (const name of ['dev', 'Other containers']) await press(name, 'ArrowRight');
    (document.activeElement as HTMLElement).blur();
    await new Promise((resolve) => setTimeout(resolve));
  });

  function element(): HTMLElement {
    return fixture.nativeElement as HTMLElement;
  }

  async function show(now: LogSourceDto[]): Promise<void> {
    sources = now;
    fixture.componentRef.setInput('sources', now);
    await fixture.whenStable();
  }

  async function selectionChange(selected: SourceSelection): Promise<void> {
    selection = selected;
    fixture.componentRef.setInput('selection', selected);
    await fixture.whenStable();
  }

  async function change(id: number, more: Partial<LogSourceDto>): Promise<void> {
    await show(sources.map((source) => (source.id === id ? { ...source, ...more } : source)));
  }

  async function find(text: string): Promise<void> {
    const field = element().querySelector('input');
    if (!field) throw new Error('there is nothing to search with');
    field.value = text;
    field.dispatchEvent(new Event('input'));
    await fixture.whenStable();
  }

  function row(name: string): HTMLElement {
    const rows = element().querySelectorAll<HTMLElement>('[role=treeitem]');
    const found = [...rows].find((one) => wordsOf(one.querySelector('.name')) === name);
    if (!found) throw new Error(`there is no row ${name}`);
    return found;
  }

  function wordsOf(one: Element | null | undefined): string {
    return (one?.textContent ?? '').replace(/\s+/g, ' ').trim();
  }

  const names = (): string[] => [...element().querySelectorAll('[role=treeitem] .name')].map(wordsOf);
  const focused = (): string =>
    wordsOf(document.activeElement?.closest('[role=treeitem]')?.querySelector('.name'));

  async function press(name: string, key: string): Promise<void> {
    row(name).focus();
    row(name).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await fixture.whenStable();
  }

  async function click(button: string): Promise<void> {
    const found = [...element().querySelectorAll('button')].find((one) => wordsOf(one) === button);
    if (!found) throw new Error(`there is no button ${button}`);
    found.focus();
    found.click();
    await fixture.whenStable();
  }

  it('selects only the visible matches of a group', async () => {
    await find('cart');
    expect(names()).toEqual(['dev', 'shop', 'cart x2lqp']);
    await press('shop', ' ');
    expect(selection).toEqual({ groups: [], keys: ['live'] });
    expect(row('shop').getAttribute('aria-checked')).toBe('true');
    await press('dev', 'Enter');
    expect(selection).toEqual({ groups: [], keys: ['live'] });
    await press('dev', ' ');
    expect(selection).toEqual(EMPTY_SELECTION);
    // All sources of the group match, so the group itself is selected.
    await find('shop');
    await press('shop', ' ');
    expect(selection).toEqual({ groups: [SHOP], keys: [] });
    // The namespace has more.
    await press('dev', 'Enter');
    expect(selection).toEqual({ groups: [], keys: ['live', 'web'] });
  });

  it('says that all matches are hidden, and shows them', async () => {
    await find('mongo');
    expect(wordsOf(element().querySelector('.none'))).toBe(
      'All matching sources are deleted and hidden.Show',
    );
    await find('a');
    await find('kz7rv mongo');
    expect(wordsOf(element().querySelector('.none'))).toBe('No matches in 6 sources.');
    await find('past');
    await click('Show');
    expect(names()).toEqual(['dev', 'past', 'cart aaaaa']);
    expect(focused()).toBe('dev');
    await find('');
    expect(names()).toHaveLength(10);
    await click('Hide deleted sources');
    await show(sources.filter(({ state }) => state === 'gone'));
    expect(wordsOf(element().querySelector('.none'))).toBe(
      'All matching sources are deleted and hidden.Show',
    );
  });

  it('moves the focus to the nearest row when its row is removed or hidden', async () => {
    row('cart x2lqp').focus();
    await change(1, { state: 'gone' });
    expect([focused(), row('web b2c3d').tabIndex]).toEqual(['web b2c3d', 0]);
    await show(sources.filter(({ id }) => id !== 3));
    // The cluster has only deleted sources.
    expect([names(), focused()]).toEqual([['Other containers', 'redis'], 'Other containers']);
    row('redis').focus();
    const others = sources;
    await show(sources.filter(({ id }) => id !== 5));
    expect(document.activeElement).toBe(element().querySelector('input'));
    // A focus outside the tree stays.
    element().querySelector('input')?.blur();
    await show(others);
    expect(document.activeElement).toBe(document.body);
  });

  it('moves the focus up from the last row', async () => {
    await selectionChange({ groups: [], keys: ['redis', 'mongo'] });
    row('redis').focus();
    await change(5, { name: 'zookeeper' });
    expect(focused()).toBe('zookeeper');
    await show(sources.filter(({ id }) => id !== 5));
    expect(focused()).toBe('mongo');
    // A deleted source is hidden once it is deselected.
    await press('mongo', ' ');
    expect([selection.keys, names().includes('mongo'), focused()]).toEqual([['redis'], false, 'web b2c3d']);
  });

  it('leaves a focus outside the tree', async () => {
    row('redis').focus();
    row('redis').blur();
    await new Promise((resolve) => setTimeout(resolve));
    await show(sources.filter(({ id }) => id !== 5));
    expect(document.activeElement).toBe(document.body);
    row('web b2c3d').focus();
    element().querySelector('input')?.focus();
    await change(3, { state: 'gone' });
    expect(document.activeElement).toBe(element().querySelector('input'));
    // Tab reaches the nearest row.
    expect(row('cart x2lqp').tabIndex).toBe(0);
  });

  it('keeps the row of a selected group whose sources are all deleted', async () => {
    await selectionChange({ groups: [{ ...SHOP, namespace: 'past' }], keys: [] });
    expect(names()).toEqual(['dev', 'shop', 'cart x2lqp', 'web b2c3d', 'past', 'Other containers', 'redis']);
    expect(wordsOf(row('past').querySelector('.state'))).toBe('deleted');
    expect(row('past').title).toContain('All of its sources are deleted and hidden');
    expect([row('past').getAttribute('aria-expanded'), row('past').getAttribute('aria-checked')]).toEqual([
      null,
      'true',
    ]);
    await press('past', ' ');
    expect([selection, names().includes('past'), focused()]).toEqual([
      EMPTY_SELECTION,
      false,
      'Other containers',
    ]);
  });

  it('shows deleted sources of a selected group without a row', async () => {
    await selectionChange({ groups: [{ runtime: 'docker', container: 'mongo' }], keys: [] });
    expect(wordsOf(row('mongo').querySelector('.state'))).toBe('deleted');
    // The group has a row again.
    await show([...sources, makeSource({ id: 7, key: 'mongo/2', name: 'mongo' })]);
    expect(names().filter((name) => name === 'mongo')).toHaveLength(1);
    expect(row('mongo').dataset['state']).toBe('live');
  });
});
