import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogStoreHealth } from '../../shared/api/api-types';
import { BoardConnection, type BoardListener } from '../api/board-connection';
import { StoreBanner } from './store-banner';

const OK: LogStoreHealth = { open: true, state: 'ok', reason: null, notice: null };
const NOTICE = 'The log history was damaged and was moved to /data/logs.db.damaged.';

describe('StoreBanner', () => {
  const state = signal('open');
  let listener: BoardListener | undefined;
  let fixture: ComponentFixture<StoreBanner>;

  beforeEach(() => {
    state.set('open');
    reload();
  });

  function reload(): void {
    TestBed.resetTestingModule();
    const board = {
      state,
      listen: (added: BoardListener) => {
        listener = added;
        return () => undefined;
      },
    };
    TestBed.configureTestingModule({
      providers: [provideRouter([]), { provide: BoardConnection, useValue: board }],
    });
    fixture = TestBed.createComponent(StoreBanner);
  }

  async function push(health: Partial<LogStoreHealth>): Promise<string> {
    listener?.onMessage({ type: 'log_store', ...OK, ...health });
    return await text();
  }

  async function text(): Promise<string> {
    await fixture.whenStable();
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ').trim();
  }

  it('is empty while the state is ok or unknown', async () => {
    expect(await text()).toBe('');
    expect(await push({})).toBe('');
  });

  it.each([
    [
      { state: 'degraded' as const, reason: 'The disk is full.' },
      'New lines are not stored yet. The disk is full. Live lines continue. Storage',
    ],
    [
      { state: 'unavailable' as const, reason: 'A storage node is down.' },
      'The log history is unavailable. A storage node is down. Live lines continue. Storage',
    ],
    [
      { state: 'unavailable' as const, open: false, reason: 'Could not open the log store.' },
      'The log history is unavailable. Could not open the log store. Slipway retries. It reads no logs until the log store is open. Storage',
    ],
  ])('shows the reason of %j until the state is ok', async (health, expected) => {
    expect(await push(health)).toBe(expected);
    expect(await push({})).toBe('');
  });

  it('is empty from the loss of the connection until the next log_store message', async () => {
    await push({ state: 'degraded', reason: 'The disk is full.' });
    state.set('lost');
    expect(await text()).toBe('');
    listener?.onOpen();
    state.set('open');
    expect(await text()).toBe('');
  });

  it('keeps a closed notice closed after a reload, and shows the next one', async () => {
    expect(await push({ notice: NOTICE })).toContain(NOTICE);
    (fixture.nativeElement as HTMLElement).querySelector('button')?.click();
    expect(await text()).toBe('');
    reload();
    expect(await push({ notice: NOTICE })).toBe('');
    expect(await push({ notice: 'Another notice.' })).toContain('Another notice.');
  });
});
