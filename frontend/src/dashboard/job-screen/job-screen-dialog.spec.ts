import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { Router } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Api } from '../../shared/api/api';
import type { ClusterDto, JobDto, JobKind, JobLogLineDto } from '../../shared/api/api-types';
import { aCluster, aJob } from '../../shared/testing/records';
import { type FakeSocket, fakeSockets } from '../../shared/testing/fake-socket';
import { Confirm } from '../../shared/ui/confirm';
import type { Question } from '../../shared/ui/confirm-dialog';
import { JOB_LABELS } from '../../shared/ui/job-labels';
import { Toaster } from '../../shared/ui/toaster';
import { fakeLayout } from '../../shared/testing/fake-layout';
import { JobScreenDialog } from './job-screen-dialog';
import { elapsedMs, headline, leavesAtItsEnd, situation, stepTime } from './job-view';

const LINE: JobLogLineDto = {
  sequence: 1,
  time: '2026-11-21T09:40:49.000Z',
  kind: 'command',
  text: 'kind create',
};

describe('the screen of a job', () => {
  let job: JobDto;
  let clusters: ClusterDto[];
  let closed: number;
  let cancelled: number[];
  let questions: Question[];
  let went: unknown[];
  let sure: boolean;
  let sockets: FakeSocket[];

  beforeEach(() => {
    job = aJob();
    clusters = [aCluster()];
    closed = 0;
    cancelled = [];
    questions = [];
    went = [];
    sure = true;
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [
        fake.provider,
        { provide: DIALOG_DATA, useValue: 12 },
        { provide: DialogRef, useValue: { close: () => (closed += 1) } },
        {
          provide: Router,
          useValue: { navigate: (...to: unknown[]) => Promise.resolve(went.push(...to) > 0) },
        },
        {
          provide: Confirm,
          useValue: {
            ask: (question: Question) => {
              questions.push(question);
              return Promise.resolve(sure);
            },
          },
        },
        {
          provide: Api,
          useValue: {
            clusters: () => Promise.resolve(clusters),
            job: (_id: number, after: number) =>
              Promise.resolve({ ...job, progress_log: after === 0 ? [LINE] : [] }),
            cancelJob: (id: number) => {
              cancelled.push(id);
              job = { ...job, cancelling: true };
              return Promise.resolve({ id, state: 'running', cancelled: true });
            },
          },
        },
      ],
    });
  });

  async function show(): Promise<ComponentFixture<JobScreenDialog>> {
    const fixture = TestBed.createComponent(JobScreenDialog);
    document.body.append(fixture.nativeElement as HTMLElement);
    await settle(fixture);
    return fixture;
  }

  async function settle(fixture: ComponentFixture<unknown>): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    }
  }

  async function waitFor(holds: () => boolean): Promise<void> {
    for (const end = Date.now() + 5000; !holds();) {
      if (Date.now() > end) throw new Error('It did not come about.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function text(fixture: ComponentFixture<unknown>): string {
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ');
  }

  function button(fixture: ComponentFixture<unknown>, words: string): HTMLButtonElement {
    const found = [...(fixture.nativeElement as HTMLElement).querySelectorAll('button')].find((candidate) =>
      candidate.textContent.includes(words),
    );
    if (!found) throw new Error(`There is no button “${words}”: ${text(fixture)}`);
    return found;
  }

  it('shows the true per cent, the step, and the way to the background first', async () => {
    const fixture = await show();
    const ring = (fixture.nativeElement as HTMLElement).querySelector('[role="progressbar"]');
    expect(ring?.getAttribute('aria-valuenow')).toBe('42');
    expect(text(fixture)).toContain('Creating stagingPreparing nodes');
    expect((fixture.nativeElement as HTMLElement).querySelector('.acts button')?.textContent).toContain(
      'Continue in the background',
    );
    fakeLayout(720, 220);
    button(fixture, 'Log').click();
    await settle(fixture);
    expect(text(fixture)).toContain('$ kind create');
  });

  it('stays when the job ends, and leads to the cluster', async () => {
    job = aJob({ state: 'succeeded', progress_percent: 100, finished_at: '2026-11-21T09:41:20.000Z' });
    const fixture = await show();
    expect(closed).toBe(0);
    expect(text(fixture)).toContain('staging is running');
    expect(document.activeElement?.textContent).toContain('Open staging');
    button(fixture, 'Open staging').click();
    expect(went).toEqual([['/cluster', 'staging'], { queryParams: { runtime: 'docker' } }]);
    expect(closed).toBe(1);
  });

  it('goes with the end of a start that went well, and says how it went', async () => {
    job = aJob({ kind: 'start' });
    const fixture = await show();
    expect(text(fixture)).toContain('Starting staging');
    job = aJob({ kind: 'start', state: 'succeeded', progress_percent: 100 });
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'job', job });
    await waitFor(() => closed === 1);
    expect(TestBed.inject(Toaster).toasts()[0]).toMatchObject({
      tone: 'done',
      title: 'staging was started.',
    });
  });

  it('says what failed, with its command, and offers the kept nodes', async () => {
    job = aJob({
      state: 'failed',
      error: {
        code: 'command_failed',
        message: 'kind failed: no space.',
        command: 'kind create cluster',
        output: 'ERROR: no space',
      },
    });
    clusters = [aCluster({ state: 'failed', nodes_kept: true })];
    const fixture = await show();
    expect(text(fixture)).toContain('staging could not be created');
    expect(text(fixture)).toContain('kind failed: no space.');
    expect(text(fixture)).toContain('kind create cluster');
    expect(text(fixture)).toContain('ERROR: no space');
    expect(button(fixture, 'Download node logs').isConnected).toBe(true);
  });

  it('asks before it cancels, and then says that it does', async () => {
    const fixture = await show();
    sure = false;
    button(fixture, 'Cancel the creation').click();
    await settle(fixture);
    expect(cancelled).toEqual([]);
    sure = true;
    button(fixture, 'Cancel the creation').click();
    await settle(fixture);
    expect(questions).toHaveLength(2);
    expect(cancelled).toEqual([12]);
    expect(button(fixture, 'Cancelling').disabled).toBe(true);
    expect(text(fixture)).toContain('Removing created resources.');
  });

  it.each(Object.keys(JOB_LABELS) as JobKind[])(
    'stays while a %s is at work, and goes on Esc',
    async (kind) => {
      job = aJob({ kind });
      const fixture = await show();
      expect(text(fixture)).toContain('Continue in the background');
      expect(closed).toBe(0);
      (fixture.nativeElement as HTMLElement).dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      expect(closed).toBe(1);
    },
  );
});

describe('a job in words', () => {
  it.each([
    [aJob({ state: 'queued' }), 'Creating staging: waiting its turn'],
    [aJob({ cancelling: true }), 'Cancelling: staging is being taken back'],
    [aJob({ kind: 'delete' }), 'Deleting staging'],
    [aJob({ kind: 'delete', state: 'succeeded' }), 'staging was deleted'],
    [aJob({ kind: 'delete', state: 'failed' }), 'staging could not be deleted'],
    [aJob({ state: 'cancelled' }), 'Creating staging was cancelled'],
    [aJob({ state: 'interrupted' }), 'Creating staging was interrupted'],
  ])('%# has its headline', (job, words) => {
    expect(headline(job)).toBe(words);
    expect(situation(job)).toMatch(/\w/);
  });

  it('goes by itself only where nothing is left to read', () => {
    const start = aJob({ kind: 'start', state: 'succeeded' });
    expect(leavesAtItsEnd(start)).toBe(true);
    expect(leavesAtItsEnd({ ...start, state: 'running' })).toBe(false);
    expect(leavesAtItsEnd({ ...start, state: 'failed' })).toBe(false);
    expect(leavesAtItsEnd({ ...start, warnings: ['worker2 did not come back'] })).toBe(false);
    expect(leavesAtItsEnd({ ...start, kind: 'create' })).toBe(false);
  });

  it('does not claim that all was removed when the job says otherwise', () => {
    const cancelled = aJob({ state: 'cancelled' });
    expect(situation(cancelled)).toBe('Everything that the job created was removed.');
    const incomplete = { ...cancelled, warnings: ['Not everything could be put right: no answer'] };
    expect(situation(incomplete)).toBe('Not all that the job made could be removed: see below.');
  });

  it('counts a job and its steps until they end', () => {
    const job = aJob();
    const now = Date.parse('2026-11-21T09:40:58.700Z');
    expect(elapsedMs(job, now)).toBe(10_500);
    expect(elapsedMs({ ...job, finished_at: '2026-11-21T09:40:50.200Z' }, now)).toBe(2000);
    expect(job.progress_steps.map((step) => stepTime(step, now))).toEqual(['0.4 s', '10 s']);
  });
});
