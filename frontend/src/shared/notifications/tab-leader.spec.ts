import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PageVisibility } from '../browser/page-visibility';
import { LOCKS, TabLeader } from './tab-leader';

/** The locks of one origin, with exclusive and shared holders. */
class FakeLocks {
  private readonly holds: { name: string; mode: LockMode }[] = [];
  private readonly queues = new Map<string, Promise<unknown>>();

  request(name: string, ...rest: unknown[]): Promise<unknown> {
    const run = rest.at(-1) as () => Promise<unknown>;
    if (rest.length > 1) return this.hold({ name, mode: 'shared' }, run);
    const turn = (this.queues.get(name) ?? Promise.resolve()).then(() =>
      this.hold({ name, mode: 'exclusive' }, run),
    );
    this.queues.set(name, turn);
    return turn;
  }

  query(): Promise<{ held: { name: string; mode: LockMode }[] }> {
    return Promise.resolve({ held: [...this.holds] });
  }

  private async hold(lock: { name: string; mode: LockMode }, run: () => Promise<unknown>): Promise<unknown> {
    this.holds.push(lock);
    const answer = await run();
    this.holds.splice(this.holds.indexOf(lock), 1);
    return answer;
  }
}

describe('TabLeader', () => {
  let locks: FakeLocks;

  beforeEach(() => {
    locks = new FakeLocks();
  });

  /** A tab that shares only locks and storage with others. */
  function tab(isSeen = false, withLocks = true): { tabs: TabLeader; visible: (seen: boolean) => void } {
    const visible = signal(isSeen);
    TestBed.resetTestingModule();
    TestBed.configureTestingModule({
      providers: [
        { provide: PageVisibility, useValue: { visible } },
        { provide: LOCKS, useValue: withLocks ? locks : null },
      ],
    });
    const tabs = TestBed.inject(TabLeader);
    TestBed.runInInjectionContext(() => tabs.attend(() => 'logs'));
    TestBed.tick();
    const tick = TestBed.tick.bind(TestBed);
    return {
      tabs,
      visible: (seen) => {
        visible.set(seen);
        tick();
      },
    };
  }

  it('lets one tab claim each notification', async () => {
    const [one, two] = [tab().tabs, tab().tabs];
    expect(
      await Promise.all([one.claimsNotification('1@a', ['logs']), two.claimsNotification('1@a', ['logs'])]),
    ).toEqual([true, false]);
    expect(
      await Promise.all([two.claimsNotification('2@b', ['logs']), one.claimsNotification('2@b', ['logs'])]),
    ).toEqual([true, false]);
    for (let count = 0; count < 200; count += 1) await one.claimsNotification(`${count}@c`, ['logs']);
    expect(JSON.parse(localStorage.getItem('slipway.notified') ?? '[]')).toHaveLength(100);
  });

  it('claims nothing while a visible tab shows the subject', async () => {
    const hidden = tab().tabs;
    const shown = tab(true);
    expect(await hidden.claimsNotification('1@a', ['logs'])).toBe(false);
    shown.visible(false);
    // Notifications seen in a tab are not sent later.
    expect(await hidden.claimsNotification('1@a', ['logs'])).toBe(false);
    expect(await hidden.claimsNotification('2@b', ['logs'])).toBe(true);
    shown.visible(true);
    expect(await hidden.claimsNotification('3@c', ['job 3'])).toBe(true);
  });

  it('lets every tab claim if the browser has no locks', async () => {
    expect(await tab(false, false).tabs.claimsNotification('1@a', ['logs'])).toBe(true);
  });
});
