import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { Clock } from '../browser/clock';
import { Toaster } from '../ui/toaster';
import { findHits, type LineMarks } from './hits';
import { fakeLayout } from '../testing/fake-layout';
import { FakeRows, line } from './testing/fake-rows';
import { LineList } from './line-list';
import type { LogGap } from './log-line';

const ROWS_SEEN = 10;
const ROW_PIXELS = 22;

describe('LineList', () => {
  let rows: FakeRows;
  let fixture: ComponentFixture<LineList>;
  let list: LineList;
  let opened: number[];
  let current: (number | undefined)[];
  let gaps: LogGap[];
  let copied: string[];
  let said: string[];

  beforeEach(async () => {
    fakeLayout(1000, ROWS_SEEN * ROW_PIXELS);
    copied = [];
    const clipboard = {
      writeText: (text: string) => {
        copied.push(text);
        return Promise.resolve();
      },
    };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    const now = signal(Date.UTC(2026, 10, 22, 9));
    said = [];
    const toaster = {
      done: (title: string) => said.push(title),
      problem: (_error: unknown, title: string) => said.push(title),
      failed: (title: string, text: string) => said.push(`${title}: ${text}`),
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: Clock, useValue: { now } },
        { provide: Toaster, useValue: toaster },
      ],
    });
    rows = new FakeRows(101);
    opened = [];
    current = [];
    gaps = [];
    fixture = TestBed.createComponent(LineList);
    fixture.componentRef.setInput('rows', rows);
    fixture.componentRef.setInput('sourceStyle', (id: number) => ({
      name: `source ${id}`,
      title: `source ${id}, whole`,
      hue: 1,
    }));
    list = fixture.componentInstance;
    list.opened.subscribe(({ seq }) => opened.push(seq));
    list.current.subscribe((one) => current.push(one?.seq));
    list.loadGap.subscribe((gap) => gaps.push(gap));
    await settle();
  });

  afterEach(() => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'clipboard');
  });

  async function settle(): Promise<void> {
    await fixture.whenStable();
  }

  const page = (): HTMLElement => fixture.nativeElement as HTMLElement;
  const grid = (): HTMLElement => page().querySelector('[role=grid]') as HTMLElement;
  const numbers = (): number[] =>
    [...page().querySelectorAll<HTMLElement>('[role=row]')].map((row) => Number(row.dataset['at']));
  const row = (at: number): HTMLElement => {
    const found = page().querySelector<HTMLElement>(`[data-at="${at}"]`);
    if (!found) throw new Error(`row ${at} is not in the page`);
    return found;
  };
  const follow = (): HTMLButtonElement | null => page().querySelector('button.follow');
  const chosen = (): number[] =>
    [...page().querySelectorAll<HTMLElement>('[aria-selected=true]')].map((one) => Number(one.dataset['at']));

  async function press(key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more });
    grid().dispatchEvent(event);
    await settle();
    return event;
  }

  it('shows the level of continuation lines once', async () => {
    rows.others.set(98, { ...line(98), level: 'error', text: 'ERROR gone' });
    rows.others.set(99, { ...line(99), level: 'error', text: '  at x', continues: true });
    rows.write(1);
    await settle();
    const drawn = [98, 99].map((at) => [row(at).dataset['level'], row(at).querySelector('.lv')?.textContent]);
    expect(drawn).toEqual([
      ['error', 'ERR'],
      [undefined, ''],
    ]);
  });

  it('renders visible rows and a few around them', () => {
    expect(grid().getAttribute('aria-rowcount')).toBe('100');
    expect(numbers().at(-1)).toBe(100);
    expect(numbers().length).toBeGreaterThanOrEqual(ROWS_SEEN);
    expect(numbers().length).toBeLessThan(ROWS_SEEN + 10);
    expect(rows.wanted.at(-1)).toEqual([numbers()[0], 101]);
    expect(row(100).textContent).toContain('line 100');
    expect([row(100).dataset['level'], row(99).dataset['level']]).toEqual(['error', undefined]);
    expect(row(100).getAttribute('aria-rowindex')).toBe('100');
  });

  it('follows new lines until the user scrolls, then counts them', async () => {
    fixture.componentRef.setInput('button', true);
    rows.write(5);
    await settle();
    expect([numbers().at(-1), list.following(), follow()]).toEqual([105, true, null]);
    list.unfollow();
    await settle();
    expect(follow()?.textContent.trim()).toBe('Newest line');
    const shown = numbers();
    rows.write(1);
    await settle();
    expect(follow()?.textContent.trim()).toBe('1 new line');
    rows.write(1500);
    await settle();
    expect(follow()?.textContent.trim()).toBe('1,501 new lines');
    expect(shown.filter((at) => !numbers().includes(at))).toEqual([]);
    follow()?.click();
    await settle();
    expect([numbers().at(-1), list.following(), follow()]).toEqual([1606, true, null]);
  });

  it('widens the column of sources to the longest name shown so far, never beyond 30 %', async () => {
    const columns = (): string => (fixture.nativeElement as HTMLElement).style.getPropertyValue('--columns');
    const width = (of: string): string => `12.4ch 3.2ch min(30%, ${of.length}ch + 11px) minmax(0, 1fr)`;
    expect(columns()).toBe(width('source 1'));
    rows.others.set(101, { ...line(101), source: 123_456 });
    rows.write(1);
    await settle();
    expect(columns()).toBe(width('source 123456'));
    rows.write(50);
    await settle();
    expect(columns()).toBe(width('source 123456'));
    const styleOf = (): object => ({ name: 'api', title: 'api', hue: 1, cluster: { code: 'ps', hue: 2 } });
    fixture.componentRef.setInput('sourceStyle', styleOf);
    await settle();
    expect(columns()).toBe(width('api ps '));
    expect(row(151).querySelector('.from')?.textContent.trim()).toMatch(/^ps\s+api$/);
  });

  it('keeps a chosen row where it is on the screen when the list is moved', async () => {
    list.goTo(50);
    await settle();
    let top = 200;
    const screen = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: Element,
    ) {
      const at = Number((this as HTMLElement).dataset['at'] ?? NaN);
      const { at: first, offset } = list['place'].top();
      const y = Number.isNaN(at) ? top : top + (at - first) * ROW_PIXELS - offset;
      return new DOMRect(0, y, 1000, ROW_PIXELS);
    });
    const place = (): number => row(52).getBoundingClientRect().top;
    row(52).click();
    const before = place();
    // The details open beside the list, and a row of buttons above it wraps.
    top += 33;
    await settle();
    expect([opened, place()]).toEqual([[52], before]);
    screen.mockRestore();
  });

  it('labels its button End if no lines can arrive', async () => {
    fixture.componentRef.setInput('button', true);
    fixture.componentRef.setInput('growing', false);
    list.unfollow();
    await settle();
    expect(follow()?.textContent.trim()).toBe('End');
  });

  it('moves the cursor with keys and stays there', async () => {
    expect((await press('ArrowUp')).defaultPrevented).toBe(true);
    expect([list.following(), list.currentRow(), current]).toEqual([false, 100, [100]]);
    await press('ArrowUp');
    expect([list.currentRow(), row(99).classList.contains('cursor')]).toEqual([99, true]);
    expect(grid().getAttribute('aria-activedescendant')).toBe(row(99).id);
    await press('PageUp');
    expect([list.currentRow(), numbers().includes(90)]).toEqual([90, true]);
    await press('Home');
    expect([list.currentRow(), numbers()[0]]).toEqual([1, 1]);
    await press('ArrowUp');
    expect(list.currentRow()).toBe(1);
    await press('Enter');
    expect(opened).toEqual([1]);
    await press('End');
    expect([list.following(), numbers().at(-1)]).toEqual([true, 100]);
    expect((await press('x')).defaultPrevented).toBe(false);
    expect((await press('ArrowUp', { altKey: true })).defaultPrevented).toBe(false);
  });

  it('opens a clicked line; selects up to it with Shift, and copies the selection', async () => {
    row(95).click();
    await settle();
    expect([opened, list.following(), chosen()]).toEqual([[95], false, [95]]);
    row(93).dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
    await settle();
    expect([opened, chosen()]).toEqual([[95], [93, 94, 95]]);
    await press('c', { ctrlKey: true });
    await new Promise((resolve) => setTimeout(resolve));
    expect(copied).toEqual([
      [93, 94, 95].map((at) => `2026-11-22T08:00:00.0${at}000Z source 1, whole line ${at}`).join('\n'),
    ]);
    expect(said).toEqual(['3 lines copied']);
    row(94).click();
    await settle();
    expect(chosen()).toEqual([94]);
  });

  it('reports lines that were not copied, and leaves the clipboard unchanged without lines', async () => {
    rows.others.set(94, { ...line(94), isCut: true });
    rows.others.set(95, undefined);
    row(96).click();
    row(93).dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
    expect((await press('c', { ctrlKey: true })).defaultPrevented).toBe(true);
    await new Promise((resolve) => setTimeout(resolve));
    expect(copied[0]?.split('\n').map((text) => text.slice(27))).toEqual(
      ['line 93', 'line 94 … (cut)', 'line 96'].map((text) => ` source 1, whole ${text}`),
    );
    expect(said).toEqual([
      '3 of 4 lines copied: 1 line truncated: open a line to copy its full text. 1 line not loaded: scroll through the selection first, or download it.',
    ]);
    row(95).click();
    await press('c', { ctrlKey: true });
    await new Promise((resolve) => setTimeout(resolve));
    expect([copied.length, said[1]?.slice(0, 20)]).toEqual([1, '0 of 1 line copied: ']);
  });

  it('copies with Caps Lock, and ignores the shortcut of the browser tools', async () => {
    row(95).click();
    await press('C', { ctrlKey: true });
    expect((await press('C', { ctrlKey: true, shiftKey: true })).defaultPrevented).toBe(false);
    await new Promise((resolve) => setTimeout(resolve));
    expect(copied).toHaveLength(1);
    expect(copied[0]).toContain('line 95');
  });

  it('reports why nothing was copied', async () => {
    const denied = { writeText: () => Promise.reject(new Error('The page may not.')) };
    Object.defineProperty(navigator, 'clipboard', { value: denied, configurable: true });
    await press('ArrowUp');
    await press('c', { metaKey: true });
    await new Promise((resolve) => setTimeout(resolve));
    expect(said).toEqual(['Could not copy']);
  });

  it('shows a gap as a row that loads the skipped lines', async () => {
    const gap: LogGap = { kind: 'gap', source: 1, from: 98, to: 1097, count: 1000, rank: 0 };
    rows.others.set(98, gap);
    rows.write(1);
    await settle();
    expect(row(98).textContent).toContain('1,000');
    const [button] = row(98).querySelectorAll('button');
    button?.click();
    expect([gaps, opened]).toEqual([[gap], []]);
    list.goTo(98);
    await settle();
    await press('Enter');
    expect([gaps, opened, current.at(-1)]).toEqual([[gap, gap], [], undefined]);
  });

  it('renders fewer rows side by side, and limits its height to them', async () => {
    list.goTo(50);
    fixture.componentRef.setInput('wrap', true);
    await settle();
    const alone = numbers().length;
    fixture.componentRef.setInput('most', ROWS_SEEN + 8);
    await settle();
    expect(alone).toBeGreaterThan(ROWS_SEEN + 8);
    expect(numbers()).toHaveLength(ROWS_SEEN + 8);
    expect(page().style.maxHeight).toBe(`${(ROWS_SEEN + 7) * ROW_PIXELS}px`);
    fixture.componentRef.setInput('most', ROWS_SEEN - 3);
    await settle();
    expect(numbers()).toHaveLength(ROWS_SEEN - 3);
    expect(page().style.maxHeight).toBe(`${(ROWS_SEEN - 4) * ROW_PIXELS}px`);
    expect(numbers()).toContain(50);
  });

  it('keeps the height of rows that are loading', async () => {
    rows.others.set(99, undefined);
    rows.write(1);
    await settle();
    expect(row(99).textContent).not.toContain('line');
    rows.others.delete(99);
    rows.write(1);
    await settle();
    expect(row(99).textContent).toContain('line 99');
  });

  it('centers a row, and keeps the cursor on its line when rows are renumbered', async () => {
    list.goTo(50);
    await settle();
    expect([numbers().includes(46), numbers().includes(54), list.currentRow()]).toEqual([true, true, 50]);
    const shown = numbers();
    rows.insert(3);
    await settle();
    expect([list.currentRow(), row(53).classList.contains('cursor')]).toEqual([53, true]);
    expect(numbers()).toEqual(shown.map((at) => at + 3));
    expect(list.held()).toEqual([45, 50].map(line));
  });

  it('shows the source of each line only if sources are merged, and marks matches', async () => {
    expect(row(100).querySelector('.from')?.textContent.trim()).toBe('source 1');
    expect(row(100).querySelector('.from')?.getAttribute('title')).toBe('source 1, whole');
    fixture.componentRef.setInput('mixed', false);
    const found = signal(/9\d/gu);
    const marks: LineMarks = { hits: (_line, text) => findHits(text, found()) };
    fixture.componentRef.setInput('marks', marks);
    await settle();
    expect(row(100).querySelector('.from')).toBeNull();
    expect([row(97).querySelector('mark')?.textContent, row(100).querySelector('mark')]).toEqual([
      '97',
      null,
    ]);
    // Later matches are drawn, too.
    found.set(/0/gu);
    await settle();
    expect([row(97).querySelector('mark'), row(100).querySelectorAll('mark').length]).toEqual([null, 2]);
  });

  it('draws rows with negative numbers in place: older matches count down from −1', async () => {
    rows = new FakeRows(9);
    rows.first = -472;
    fixture.componentRef.setInput('rows', rows);
    await settle();
    const block = grid().querySelector('[role=rowgroup]') as HTMLElement;
    const [, y] = /translateY\((.+)px\)/.exec(block.style.transform) ?? [];
    const from = numbers()[0] ?? NaN;
    expect(from).toBeLessThan(0);
    const upperEdge = Number.parseFloat(block.style.paddingTop) + Number(y);
    expect(upperEdge + (9 - from) * ROW_PIXELS).toBe(ROWS_SEEN * ROW_PIXELS);
  });

  it('starts at the end of other rows', async () => {
    list.goTo(50);
    const others = new FakeRows(31);
    fixture.componentRef.setInput('rows', others);
    await settle();
    expect([list.following(), numbers().at(-1), grid().getAttribute('aria-activedescendant')]).toEqual([
      true,
      30,
      null,
    ]);
    // Changes of the previous rows are ignored.
    rows.insert(5);
    await settle();
    expect(numbers().at(-1)).toBe(30);
  });
});
