import type { AppliedDocumentDto, ConfigProblemDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';

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

type Outcome = AppliedDocumentDto['outcome'];
const OUTCOMES: readonly Outcome[] = ['created', 'configured', 'unchanged', 'failed'];

export function planOf(documents: readonly AppliedDocumentDto[], isDryRun: boolean): ApplyPlan {
  const count = (outcome: Outcome): number =>
    documents.filter((document) => document.outcome === outcome).length;
  const failed = documents.filter(({ outcome }) => outcome === 'failed');
  return {
    sentence: `${plural(documents.length, 'document')}: ${OUTCOMES.filter((outcome) => count(outcome) > 0)
      .map((outcome) => `${count(outcome)} ${outcomeLabel({ outcome }, isDryRun)}`)
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
