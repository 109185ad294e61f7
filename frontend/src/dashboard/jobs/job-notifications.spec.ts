import { Location } from '@angular/common';
import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { provideRouter, Router } from '@angular/router';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JobDto } from '../../shared/api/api-types';
import { JobsStore } from '../../shared/live/jobs-store';
import { LiveConnection } from '../../shared/live/live-connection';
import { NOTIFICATION } from '../../shared/notifications/browser-notifications';
import { TabLeader } from '../../shared/notifications/tab-leader';
import { FakeNotification } from '../../shared/testing/fake-notification';
import { aJob } from '../../shared/testing/records';
import { JobNotifications } from './job-notifications';

@Component({ template: '' })
class Page {}

describe('JobNotifications', () => {
  const jobs = signal<JobDto[] | undefined>(undefined);
  const topicWhileHidden = signal<string | null>(null);
  let attended: () => string | null;
  let claims: [id: string, subjects: readonly string[]][];

  beforeEach(() => {
    localStorage.clear();
    FakeNotification.reset();
    jobs.set(undefined);
    claims = [];
    jest.spyOn(window, 'focus').mockImplementation(() => undefined);
    TestBed.configureTestingModule({
      providers: [
        provideRouter([{ path: '**', component: Page }]),
        { provide: NOTIFICATION, useValue: FakeNotification },
        { provide: JobsStore, useValue: { live: { value: jobs } } },
        { provide: LiveConnection, useValue: { topicWhileHidden } },
        {
          provide: TabLeader,
          useValue: {
            attend: (subject: () => string | null) => {
              attended = subject;
            },
            claimsNotification: (id: string, subjects: readonly string[]) => {
              claims.push([id, subjects]);
              return Promise.resolve(true);
            },
          },
        },
      ],
    });
  });

  async function list(...listed: JobDto[]): Promise<void> {
    jobs.set(listed);
    TestBed.tick();
    await Promise.resolve();
  }

  const ended = (change: Partial<JobDto> = {}): JobDto =>
    aJob({
      state: 'failed',
      message: 'Failed at Preparing nodes: no space.',
      started_at: '2026-11-21T09:40:48.000Z',
      finished_at: '2026-11-21T09:41:46.000Z',
      ...change,
    });

  it('requests permission when it is turned on, and keeps the choice', async () => {
    const notifications = TestBed.inject(JobNotifications);
    TestBed.tick();
    await list(aJob());
    await list(ended());
    expect([notifications.on(), topicWhileHidden(), FakeNotification.asked]).toEqual([false, null, 0]);
    await notifications.turn(true);
    TestBed.tick();
    expect([notifications.on(), topicWhileHidden(), FakeNotification.asked]).toEqual([true, 'jobs', 1]);
    expect(localStorage.getItem('slipway.job-notifications')).toBe('true');
    // The job ended before.
    await list(ended());
    expect(FakeNotification.shown).toEqual([]);
    await notifications.turn(false);
    TestBed.tick();
    expect([notifications.on(), topicWhileHidden(), FakeNotification.asked]).toEqual([false, null, 1]);
    expect(localStorage.getItem('slipway.job-notifications')).toBeNull();
  });

  it('escapes characters that make a name look like another', async () => {
    await TestBed.inject(JobNotifications).turn(true);
    await list(aJob());
    await list(ended({ title: 'Uninstall web\u200b-1', message: 'web\u200b-1 failed.\nSee its log.' }));
    expect(FakeNotification.shown).toMatchObject([
      { title: 'Uninstall web\\u200b-1', options: { body: 'web\\u200b-1 failed.\nSee its log.' } },
    ]);
  });

  it('stays off if the browser denies permission', async () => {
    FakeNotification.answer = 'denied';
    const notifications = TestBed.inject(JobNotifications);
    await notifications.turn(true);
    expect([notifications.on(), notifications.permission()]).toEqual([false, 'denied']);
    expect(localStorage.getItem('slipway.job-notifications')).toBeNull();
  });

  it('notifies once of each job that ends, and opens its view after a click', async () => {
    await TestBed.inject(JobNotifications).turn(true);
    await list(aJob(), ended({ id: 11 }));
    await list(ended(), ended({ id: 11 }));
    await list(ended(), ended({ id: 11 }));
    const [shown, ...others] = FakeNotification.shown;
    expect(others).toEqual([]);
    expect(shown).toMatchObject({
      title: 'Create staging',
      options: { body: 'Failed at Preparing nodes: no space.', tag: 'slipway-job-12' },
    });
    expect(claims).toEqual([['job 12@2026-11-21T09:40:48.102Z', ['jobs', 'job 12']]]);
    shown?.onclick?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(TestBed.inject(Location).path()).toBe('?progress=12');
  });

  it('attends to the job whose view is open, and to all jobs on the Jobs page', async () => {
    TestBed.inject(JobNotifications);
    const router = TestBed.inject(Router);
    expect(attended()).toBeNull();
    const seen = [];
    for (const url of ['/clusters', '/jobs?show=failed', '/cluster/jobs?progress=12']) {
      await router.navigateByUrl(url);
      seen.push(attended());
    }
    expect(seen).toEqual([null, 'jobs', 'job 12']);
  });

  it('follows the choice of another tab', async () => {
    const notifications = TestBed.inject(JobNotifications);
    await notifications.turn(true);
    localStorage.removeItem('slipway.job-notifications');
    window.dispatchEvent(new StorageEvent('storage', { key: 'slipway.job-notifications' }));
    expect(notifications.on()).toBe(false);
  });
});
