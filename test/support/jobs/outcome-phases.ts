import type { JobKind, JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { ENDINGS, STEPS, type Ending } from './outcome-cases.js';

/** Where a job ended, by its own record. */
interface Phase {
  phase: string;
  ends: Ending;
}

const KIND_STEPS = new RegExp(`^(?:${STEPS.join('|')})$`);
const LIKE_CREATE: readonly JobKind[] = ['create', 'recreate', 'start'];

/** Why a phase has no case. The first field limits a reason to some kinds of job. */
const REASONS: readonly [kinds: readonly JobKind[] | null, phase: RegExp, ends: RegExp, why: string][] = [
  [null, /^queued$/, /^failed$/, 'A queued job does nothing that could fail.'],
  [['clone'], /./, /./, 'Has the stages and the texts of create.'],
  [LIKE_CREATE, KIND_STEPS, /^(?:failed|interrupted)$/, 'The steps of kind are one stage with one undo.'],
  [null, /^external-load-balancer$/, /./, 'A step of kind, too.'],
  [LIKE_CREATE, /^kubeconfig$/, /./, 'Writes small files; undone as the steps of kind.'],
  [LIKE_CREATE, /^ready$/, /^failed$/, 'Takes minutes; undone as the steps of kind.'],
  [['recreate'], /^removing-leftovers$/, /./, 'Finds nothing to remove unless an engine is broken.'],
  [['start'], /^starting-nodes$/, /^failed$/, 'Nodes that do not start fail the next step.'],
  [['unpause'], /^ready$/, /^failed$/, 'The cluster is degraded then, and the job succeeds.'],
  [['delete'], /^removing-files$/, /./, 'Takes milliseconds.'],
  [null, /^confirm$/, /^failed$/, 'Only if another program changes the release at that moment.'],
];

function phaseOf({ started_at, progress_steps }: JobWithLogDto): string {
  if (started_at === null) return 'queued';
  const last = progress_steps.findLast(({ state }) => state === 'failed' || state === 'cancelled');
  return last === undefined ? '' : general(last.name);
}

/** Of several images, each has its steps. */
function general(step: string): string {
  return step.replace(/-\d+$/, '');
}

/** The phases of one kind of job, as the server lists them, and those of its cases. */
export class OutcomePhases {
  private readonly phases = new Set(['queued']);
  private readonly seen: Phase[] = [];

  constructor(private readonly kind: JobKind) {}

  add(job: JobWithLogDto): void {
    for (const { name } of job.progress_steps) this.phases.add(general(name));
    this.seen.push({ phase: phaseOf(job), ends: job.state as Ending });
  }

  /** Phases with neither a case nor a reason. */
  missing(): string[] {
    return [...this.phases].flatMap((phase) =>
      ENDINGS.filter(
        (ends) =>
          !this.seen.some((one) => one.phase === phase && one.ends === ends) &&
          !REASONS.some(
            ([kinds, phases, endings]) =>
              (kinds?.includes(this.kind) ?? true) && phases.test(phase) && endings.test(ends),
          ),
      ).map((ends) => `no case: ${this.kind}, ${phase}, ${ends}`),
    );
  }
}
