import type { AppliedDocumentDto, ConfigProblemDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';

/** What became of a text's documents, or would become of them. */
export interface ApplyPlan {
  /** `2 created, 1 unchanged` */
  sentence: string;
  /** Documents that change something. */
  changes: number;
  failed: number;
  /** Some fields are held by another manager: only force takes them over. */
  conflicts: boolean;
  /** Where in the text the failed ones stand. */
  problems: ConfigProblemDto[];
}

const WORDS = {
  check: { created: 'to be created', configured: 'to be changed', unchanged: 'unchanged', failed: 'refused' },
  done: { created: 'created', configured: 'changed', unchanged: 'unchanged', failed: 'failed' },
} as const;

type Outcome = AppliedDocumentDto['outcome'];
const OUTCOMES: readonly Outcome[] = ['created', 'configured', 'unchanged', 'failed'];

export function planOf(documents: readonly AppliedDocumentDto[], isDryRun: boolean): ApplyPlan {
  const count = (outcome: Outcome): number =>
    documents.filter((document) => document.outcome === outcome).length;
  const words = WORDS[isDryRun ? 'check' : 'done'];
  const failed = documents.filter(({ outcome }) => outcome === 'failed');
  return {
    sentence: `${plural(documents.length, 'document')}: ${OUTCOMES.filter((outcome) => count(outcome) > 0)
      .map((outcome) => `${count(outcome)} ${words[outcome]}`)
      .join(', ')}`,
    changes: count('created') + count('configured'),
    failed: failed.length,
    conflicts: failed.some(({ error }) => error?.code === 'resource_conflict'),
    problems: failed.map((document) => ({
      path: `${titleOf(document)}:`,
      line: document.line,
      column: 1,
      problem: document.error?.message ?? 'could not be applied',
    })),
  };
}

export function wordOf({ outcome }: Pick<AppliedDocumentDto, 'outcome'>, isDryRun: boolean): string {
  return WORDS[isDryRun ? 'check' : 'done'][outcome];
}

/** `Deployment web`; of what cannot be read, its place. */
export function titleOf({ kind, name, index }: AppliedDocumentDto): string {
  return [kind ?? `Document ${index}`, name].filter((part) => part !== null).join(' ');
}

/** A file's text below what is there: as a document of its own, whose first line says where it came from. */
export function withFile(text: string, file: { name: string; text: string }): string {
  const added = `# ${file.name.replaceAll(/[\r\n]/g, ' ')}\n${file.text.replace(/^\uFEFF/, '').replace(/^---[ \t]*\r?\n/, '')}`;
  const before = text.trimEnd();
  if (before === '') return added;
  return `${before}${before.endsWith('\n---') || before === '---' ? '' : '\n---'}\n${added}`;
}
