import { DIALOG_DATA } from '@angular/cdk/dialog';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { Router } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ClusterDto, JobDto, JobLogLineDto } from '../../shared/api/api-types';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster, aJob } from '../../shared/testing/records';
import { type FakeSocket, fakeSockets } from '../../shared/live/testing/fake-socket';
import { Confirm } from '../../shared/ui/confirm';
import type { Question } from '../../shared/ui/confirm-dialog';
import { Toaster } from '../../shared/ui/toaster';
import { fakeLayout } from '../../shared/testing/fake-layout';
import { JobScreenDialog } from './job-screen-dialog';
import { JobScreen } from '../job-handle/job-screen';
import { closesAtEnd } from './job-view';
import { retryOf } from '../jobs/retry-of';

const LINE: JobLogLineDto = {
  sequence: 1,
  time: '2026-11-21T09:40:49.000Z',
  kind: 'command',
  text: 'kind create',
};

describe('JobScreenDialog', () => {
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
        { provide: JobScreen, useValue: { close: () => Promise.resolve((closed += 1)) } },
        {
          provide: Router,
          useValue: { navigateByUrl: (url: string) => Promise.resolve(went.push(url) > 0) },
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
        provideApi({
          'GET /api/v1/clusters': () => Promise.resolve(clusters),
          'GET /api/v1/jobs/{id}': ({ log_after: after }) =>
            Promise.resolve({ ...job, progress_log: after === 0 ? [LINE] : [] }),
          'POST /api/v1/jobs/{id}/cancel': ({ id }) => {
            cancelled.push(Number(id));
            job = { ...job, cancelling: true };
            return Promise.resolve({ id, state: 'running', cancelled: true });
          },
        }),
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
      if (Date.now() > end) throw new Error('Timed out.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function text(fixture: ComponentFixture<unknown>): string {
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ');
  }

  function button(fixture: ComponentFixture<unknown>, name: string): HTMLButtonElement {
    const found = [...(fixture.nativeElement as HTMLElement).querySelectorAll('button')].find((candidate) =>
      candidate.textContent.includes(name),
    );
    if (!found) throw new Error(`No button “${name}”: ${text(fixture)}`);
    return found;
  }

  it('shows progress and step, and focuses the background button', async () => {
    const fixture = await show();
    const ring = (fixture.nativeElement as HTMLElement).querySelector('[role="progressbar"]');
    expect(ring?.getAttribute('aria-valuenow')).toBe('42');
    expect(text(fixture)).toContain('Create stagingPreparing nodes');
    expect((fixture.nativeElement as HTMLElement).querySelector('.acts button')?.textContent).toContain(
      'Run in background',
    );
    fakeLayout(720, 220);
    button(fixture, 'Log').click();
    await settle(fixture);
    expect(text(fixture)).toContain('$ kind create');
  });

  it('stays open after a creation and links to the cluster', async () => {
    const finished_at = '2026-11-21T09:41:20.000Z';
    job = aJob({ state: 'succeeded', message: 'Created staging.', progress_percent: 100, finished_at });
    const fixture = await show();
    expect(closed).toBe(0);
    expect(text(fixture)).toContain('Created staging.');
    expect(document.activeElement?.textContent).toContain('Open staging');
    button(fixture, 'Open staging').click();
    expect(went).toEqual(['/cluster/staging?runtime=docker']);
  });

  it('closes after a successful start and shows a toast', async () => {
    job = aJob({ kind: 'start' });
    await show();
    job = aJob({ kind: 'start', state: 'succeeded', message: 'Started staging.', progress_percent: 100 });
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'job', job });
    await waitFor(() => closed === 1);
    expect(TestBed.inject(Toaster).toasts()[0]).toMatchObject({
      tone: 'done',
      title: 'Started staging.',
    });
  });

  it('stays open for a start that ended before it was opened', async () => {
    job = aJob({ kind: 'start', state: 'succeeded', finished_at: '2026-11-21T09:41:20.000Z' });
    await show();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(closed).toBe(0);
  });

  it('shows the error with its command, and the logs of kept nodes', async () => {
    job = aJob({
      state: 'failed',
      message: 'Failed at Preparing nodes: kind failed: no space.',
      error: {
        code: 'command_failed',
        message: 'kind failed: no space.',
        command: 'kind create cluster',
        output: 'ERROR: no space',
      },
    });
    clusters = [aCluster({ state: 'failed', nodes_kept: true })];
    const fixture = await show();
    expect(text(fixture)).toContain('Failed at Preparing nodes: kind failed: no space.');
    expect(text(fixture)).toContain('kind create cluster');
    expect(text(fixture)).toContain('ERROR: no space');
    expect(button(fixture, 'Download node logs').isConnected).toBe(true);
    expect(button(fixture, 'Retry').isConnected).toBe(true);
    button(fixture, 'Edit config').click();
    expect(went).toEqual(['/cluster/staging/config?runtime=docker']);
  });

  it('cancels the job after a confirmation', async () => {
    const fixture = await show();
    sure = false;
    button(fixture, 'Cancel job').click();
    await settle(fixture);
    expect(cancelled).toEqual([]);
    sure = true;
    button(fixture, 'Cancel job').click();
    await settle(fixture);
    expect(questions).toHaveLength(2);
    expect(cancelled).toEqual([12]);
    expect(button(fixture, 'Canceling').disabled).toBe(true);
  });

  it('stays open during a job and closes on Esc', async () => {
    const fixture = await show();
    expect(text(fixture)).toContain('Run in background');
    expect(closed).toBe(0);
    (fixture.nativeElement as HTMLElement).dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect(closed).toBe(1);
  });
});

describe('retryOf', () => {
  const failed = aCluster({ state: 'failed' });
  const stopped = aCluster({ state: 'stopped' });

  it.each([
    [aJob({ state: 'failed' }), failed, 'recreate'],
    [aJob({ state: 'interrupted', kind: 'recreate' }), failed, 'recreate'],
    [aJob({ state: 'cancelled', kind: 'start' }), stopped, 'start'],
    [aJob({ state: 'failed', kind: 'delete' }), stopped, 'delete'],
    [aJob({ state: 'succeeded' }), failed, undefined],
    [aJob({ state: 'failed' }), aCluster({ state: 'running' }), undefined],
    [aJob({ state: 'failed' }), undefined, undefined],
    [aJob({ state: 'failed', kind: 'drain' }), stopped, undefined],
  ])('offers the action of job %#', (job, cluster, action) => {
    expect(retryOf(job, cluster)).toBe(action);
  });
});

describe('job view', () => {
  it('closes at the end only if nothing is left to show', () => {
    const start = aJob({ kind: 'start', state: 'succeeded' });
    expect(closesAtEnd(start)).toBe(true);
    expect(closesAtEnd({ ...start, state: 'running' })).toBe(false);
    expect(closesAtEnd({ ...start, state: 'failed' })).toBe(false);
    expect(closesAtEnd({ ...start, warnings: ['worker2 did not start'] })).toBe(false);
    expect(closesAtEnd({ ...start, kind: 'create' })).toBe(false);
  });
});
