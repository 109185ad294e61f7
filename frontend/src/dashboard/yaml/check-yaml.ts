import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { checkValue, type Finding, type SyntaxNode } from './check-document';
import { SchemaView } from './json-schema';
import { type DocumentHead, type DocumentSchemas, headOf } from './yaml-documents';

/** More would not be read. */
const MAX_FINDINGS = 100;
/** Leaves most of a frame to others. */
const WORK_MS = 8;
/** A text of a megabyte takes 200. */
const PARSE_ATTEMPTS = 1000;

/**
 * Checks each document of a text against its schema, in short pieces of work.
 * @throws if the signal aborts
 */
export async function checkYaml(
  state: EditorState,
  schemas: DocumentSchemas,
  abort: AbortSignal,
): Promise<Finding[]> {
  const tree = await parse(state, abort);
  const findings: Finding[] = [];
  let since = performance.now();
  for (const document of tree?.getChildren('Document') ?? []) {
    for await (const finding of checkDocument(state, document, schemas)) {
      if (finding) findings.push(finding);
      if (findings.length >= MAX_FINDINGS) return inOrder(findings);
      if (performance.now() - since < WORK_MS) continue;
      await pause(abort);
      since = performance.now();
    }
  }
  return inOrder(findings);
}

/** A missing field is found after those that follow it. */
function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((one, other) => one.from - other.from);
}

async function* checkDocument(
  state: EditorState,
  document: SyntaxNode,
  schemas: DocumentSchemas,
): AsyncGenerator<Finding | null> {
  const root = document.getChild('BlockMapping') ?? document.getChild('FlowMapping');
  if (!root) return;
  const read = (from: number, to: number): string => state.sliceDoc(from, to);
  const head = headOf(read(root.from, root.to));
  const found = await schemas.of(head);
  if (found?.warning) {
    const { field, message } = found.warning;
    yield { ...valueRange(root, field, read), severity: 'warning', message };
  }
  yield* checkValue(root, found && SchemaView.of(found.schema, head.kind ?? ''), read);
}

function valueRange(
  root: SyntaxNode,
  field: keyof DocumentHead,
  read: (from: number, to: number) => string,
): { from: number; to: number } {
  const pair = root.getChildren('Pair').find((each) => {
    const key = each.getChild('Key');
    return key && read(key.from, key.to) === field;
  });
  const { from, to } = pair?.lastChild ?? root;
  return { from, to };
}

/** @returns null if the text is too long */
async function parse(state: EditorState, abort: AbortSignal): Promise<SyntaxNode | null> {
  for (let attempt = 0; attempt < PARSE_ATTEMPTS; attempt += 1) {
    const tree = ensureSyntaxTree(state, state.doc.length, WORK_MS);
    if (tree) return tree.topNode;
    await pause(abort);
  }
  return null;
}

async function pause(abort: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  abort.throwIfAborted();
}
