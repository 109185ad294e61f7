import { TestBed } from '@angular/core/testing';
import { Router } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { RecreationCheckDto } from '../../shared/api/api-types';
import { fakeSockets } from '../../shared/live/testing/fake-socket';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster } from '../../shared/testing/records';
import { Confirm } from '../../shared/ui/confirm';
import type { Question } from '../../shared/ui/confirm-dialog';
import { Toaster } from '../../shared/ui/toaster';
import { JobScreen } from '../job-handle/job-screen';
import { ClusterActions } from './cluster-actions';

describe('ClusterActions', () => {
  let asked: string[];
  let questions: Question[];
  let sure: boolean;
  let opened: number[];
  let went: unknown[];
  let refusal: ApiProblem | undefined;
  let check: RecreationCheckDto;
  let source: 'saved' | 'rebuilt';

  beforeEach(() => {
    asked = [];
    questions = [];
    sure = true;
    opened = [];
    went = [];
    refusal = undefined;
    source = 'saved';
    check = {
      acceptable: true,
      problems: [],
      warnings: [],
      changes: [],
      labels_only: false,
      losses: {
        containers: ['staging-control-plane'],
        volumes: [],
        pods: null,
        volume_claims: null,
        summary: null,
      },
      becomes: null,
    };
    const change =
      (action: string) =>
      ({ name, runtime }: { name: string | number; runtime?: string }): Promise<object> => {
        asked.push(`${action} ${name} of ${runtime}`);
        return refusal ? Promise.reject(refusal) : Promise.resolve({ job_id: 12 });
      };
    TestBed.configureTestingModule({
      providers: [
        fakeSockets().provider,
        provideApi({
          'GET /api/v1/clusters': () => Promise.resolve([]),
          'GET /api/v1/clusters/{name}/config': () => Promise.resolve({ source }),
          'GET /api/v1/clusters/{name}/recreate/check': () => Promise.resolve(check),
          'POST /api/v1/clusters/{name}/start': (params) =>
            change(params.keep_nodes ? 'start' : 'reapply')(params),
          'POST /api/v1/clusters/{name}/pause': change('pause'),
          'POST /api/v1/clusters/{name}/stop': change('stop'),
          'POST /api/v1/clusters/{name}/recreate': change('recreate'),
        }),
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
          provide: JobScreen,
          useValue: {
            open: (id: number) => {
              opened.push(id);
              return Promise.resolve();
            },
          },
        },
        {
          provide: Router,
          useValue: { navigateByUrl: (url: string) => Promise.resolve(went.push(url) > 0) },
        },
      ],
    });
  });

  it('starts and stops without a confirmation and opens the job screen', async () => {
    const actions = TestBed.inject(ClusterActions);
    expect(await actions.run('start', aCluster({ state: 'stopped' }))).toBe(true);
    expect(await actions.run('stop', aCluster())).toBe(true);
    expect(asked).toEqual(['start staging of docker', 'stop staging of docker']);
    expect(questions).toEqual([]);
    expect(opened).toEqual([12, 12]);
  });

  it.each([
    ['reapply', { config_changed: true }],
    ['recreate', {}],
    ['stop', { origin: 'adopted' }],
  ] as const)('requires a confirmation for %s of %j', async (action, change) => {
    const actions = TestBed.inject(ClusterActions);
    sure = false;
    expect(await actions.run(action, aCluster(change))).toBe(false);
    expect(asked).toEqual([]);
    sure = true;
    expect(await actions.run(action, aCluster(change))).toBe(true);
    expect(asked).toEqual([`${action} staging of docker`]);
    expect(questions).toHaveLength(2);
  });

  it('opens the rebuilt config instead of recreating a cluster without a saved config', async () => {
    const actions = TestBed.inject(ClusterActions);
    const adopted = aCluster({ origin: 'adopted' });
    source = 'rebuilt';
    sure = false;
    expect(await actions.run('recreate', adopted)).toBe(false);
    expect(went).toEqual([]);
    sure = true;
    expect(await actions.run('recreate', adopted)).toBe(false);
    expect(questions.map(({ title }) => title)).toEqual(Array(2).fill('staging has no saved config'));
    expect(went).toEqual(['/cluster/staging/config?runtime=docker']);
    source = 'saved';
    expect(await actions.run('recreate', adopted)).toBe(true);
    expect(questions[2]?.text.join(' ')).toContain('kubeadm and containerd patches');
    expect(asked).toEqual(['recreate staging of docker']);
  });

  it('shows the problems of a recreation that the check rejects', async () => {
    check = {
      ...check,
      acceptable: false,
      problems: [{ field: 'name', problem: 'is taken', line: null, column: null }],
    };
    expect(await TestBed.inject(ClusterActions).run('recreate', aCluster())).toBe(false);
    expect(asked).toEqual([]);
    expect(questions).toEqual([]);
    expect(TestBed.inject(Toaster).toasts()[0]).toMatchObject({
      title: 'Could not recreate staging.',
      text: 'Name is taken.',
    });
  });

  it('shows the error and a link to the running job', async () => {
    refusal = new ApiProblem('cluster_busy', 'staging is busy: job 7 (stop) is running.', 409, {
      job_id: 7,
    });
    expect(await TestBed.inject(ClusterActions).run('start', aCluster({ state: 'stopped' }))).toBe(false);
    const [toast] = TestBed.inject(Toaster).toasts();
    expect(toast).toMatchObject({
      tone: 'failed',
      title: 'Could not start staging.',
      text: 'staging is busy: job 7 (stop) is running.',
    });
    expect(toast?.action?.text).toBe('View job 7');
    toast?.action?.run();
    expect(opened).toEqual([7]);
  });

  it('links to Diagnostics if the engine does not respond', async () => {
    refusal = new ApiProblem('runtime_unavailable', 'docker does not respond.', 503);
    await TestBed.inject(ClusterActions).run('pause', aCluster());
    TestBed.inject(Toaster).toasts()[0]?.action?.run();
    expect(went).toEqual(['/diagnostics']);
  });

  it('shows no action if none helps', async () => {
    refusal = new ApiProblem('cluster_state', 'staging is stopped and cannot be paused.', 409, {
      state: 'stopped',
    });
    await TestBed.inject(ClusterActions).run('pause', aCluster());
    expect(TestBed.inject(Toaster).toasts()[0]?.action).toBeNull();
  });
});
