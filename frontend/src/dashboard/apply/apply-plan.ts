import type { AppliedDocumentDto, ConfigProblemDto } from '../../shared/api/api-types';
import { documentCount } from '../../shared/format/format';

export interface ApplyPlan {
  /** `2 created, 1 unchanged` */
  sentence: string;
  changes: number;
  failed: number;
  /** Another field manager owns some fields: only force can change them. */
  conflicts: boolean;
  problems: ConfigProblemDto[];
}

const LABELS = {
  check: {
    created: $localize`to create`,
    configured: $localize`to change`,
    unchanged: $localize`unchanged`,
    failed: $localize`rejected`,
  },
  done: {
    created: $localize`created`,
    configured: $localize`changed`,
    unchanged: $localize`unchanged`,
    failed: $localize`failed`,
  },
} as const;
const COUNT_LABELS: Readonly<Record<'check' | 'done', Record<Outcome, (count: number) => string>>> = {
  check: {
    created: (count) => $localize`${count}:count: to create`,
    configured: (count) => $localize`${count}:count: to change`,
    unchanged: (count) => $localize`${count}:count: unchanged`,
    failed: (count) => $localize`${count}:count: rejected`,
  },
  done: {
    created: (count) => $localize`${count}:count: created`,
    configured: (count) => $localize`${count}:count: changed`,
    unchanged: (count) => $localize`${count}:count: unchanged`,
    failed: (count) => $localize`${count}:count: failed`,
  },
};

type Outcome = AppliedDocumentDto['outcome'];
const OUTCOMES: readonly Outcome[] = ['created', 'configured', 'unchanged', 'failed'];

export function planOf(documents: readonly AppliedDocumentDto[], isDryRun: boolean): ApplyPlan {
  const count = (outcome: Outcome): number =>
    documents.filter((document) => document.outcome === outcome).length;
  const failed = documents.filter(({ outcome }) => outcome === 'failed');
  return {
    sentence: `${documentCount(documents.length)}: ${OUTCOMES.filter((outcome) => count(outcome) > 0)
      .map((outcome) => COUNT_LABELS[isDryRun ? 'check' : 'done'][outcome](count(outcome)))
      .join(', ')}`,
    changes: count('created') + count('configured'),
    failed: failed.length,
    conflicts: failed.some(({ error }) => error?.code === 'resource_conflict'),
    problems: failed.map((document) => ({
      path: `${titleOf(document)}:`,
      line: document.error_line ?? document.line,
      column: 1,
      problem: document.error?.message ?? $localize`could not be applied`,
    })),
  };
}

export function outcomeLabel({ outcome }: Pick<AppliedDocumentDto, 'outcome'>, isDryRun: boolean): string {
  return LABELS[isDryRun ? 'check' : 'done'][outcome];
}

/** `Deployment web`; the position of a document that cannot be parsed. */
export function titleOf({ kind, name, index }: AppliedDocumentDto): string {
  return [kind ?? $localize`Document ${index}:index:`, name].filter((part) => part !== null).join(' ');
}

/** Appends a file as a new document that begins with a comment with its name. */
export function appendFile(text: string, file: { name: string; text: string }): string {
  const added = `# ${file.name.replaceAll(/[\r\n]/g, ' ')}\n${file.text.replace(/^\uFEFF/, '').replace(/^---[ \t]*\r?\n/, '')}`;
  return appendDocument(text, added);
}

export function appendDocument(text: string, added: string): string {
  const before = text.trimEnd();
  if (before === '') return added;
  return `${before}${before.endsWith('\n---') || before === '---' ? '' : '\n---'}\n${added}`;
}
