import { autocompletion, completionKeymap, currentCompletions } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec, type Extension, type Text } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import {
  afterNextRender,
  Component,
  computed,
  CSP_NONCE,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  input,
  model,
  output,
} from '@angular/core';
import type { ConfigProblemDto } from '../../shared/api/api-types';
import { ApiResource } from '../../shared/loading/api-resource';
import { completeFrom } from '../yaml/yaml-completion';
import type { Finding } from '../yaml/check-document';
import { checkYaml } from '../yaml/check-yaml';
import type { DocumentSchemas } from '../yaml/yaml-documents';
import { editorTheme } from './editor-theme';
import { finishValue } from './finish-value';
import { typeOver } from './type-over';

/** As in CodeMirror. */
const TAB_LEAVES_MS = 2000;
const CHECK_DELAY_MS = 400;

/** An editor for YAML, or for plain text. Tab indents; Esc, then Tab, leaves the editor. */
@Component({
  selector: 'sw-config-editor',
  template: '',
  styleUrl: './editor-place.scss',
})
export class ConfigEditor {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly nonce = inject(CSP_NONCE, { optional: true });

  readonly text = model.required<string>();
  readonly label = input.required<string>();
  readonly readOnly = input(false);
  readonly problems = input<readonly ConfigProblemDto[]>([]);
  readonly language = input<'yaml' | 'text'>('yaml');
  /** Completes keys and values. */
  readonly schemas = input<DocumentSchemas>();
  /** Whether the schemas also check the text. A config is checked by the server. */
  readonly checked = input(false);
  readonly save = output();

  private view: EditorView | undefined;
  private readonly check = new ApiResource(
    async ({ text, schemas }: { text: string; schemas: DocumentSchemas }, signal) => {
      const { state } = this.view ?? {};
      return { text, findings: state ? await checkYaml(state, schemas, signal) : [] };
    },
    () => {
      const [text, schemas] = [this.text(), this.schemas()];
      return schemas && this.checked() ? { text, schemas } : undefined;
    },
    { delayMs: CHECK_DELAY_MS },
  );
  private readonly findings = computed(() => {
    const found = this.check.value();
    return found?.text === this.text() ? found.findings : [];
  });
  /** Problems of the text by its schemas, in its order. */
  readonly found = computed(() => {
    const findings = this.findings();
    const doc = this.view?.state.doc;
    return doc === undefined ? [] : findings.map((finding) => problemOf(doc, finding));
  });
  private readonly mode = new Compartment();

  constructor() {
    afterNextRender(() => this.create());
    inject(DestroyRef).onDestroy(() => this.view?.destroy());
    effect(() => this.show(this.text()));
    effect(() => this.mark(this.problems(), this.findings()));
    effect(() => {
      const readOnly = this.readOnly();
      this.view?.dispatch({ effects: this.mode.reconfigure(modeOf(readOnly)) });
    });
  }

  goTo({ line, column }: Pick<ConfigProblemDto, 'line' | 'column'>): void {
    const { view } = this;
    if (!view) return;
    const at = offsetOf(view.state.doc, line, column);
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    view.focus();
  }

  private create(): void {
    this.view = new EditorView({
      parent: this.host,
      doc: this.text(),
      extensions: [
        // Keep the line separators.
        this.text().includes('\r\n') ? EditorState.lineSeparator.of('\r\n') : [],
        lineNumbers(),
        lintGutter(),
        foldGutter({ openText: '⌄', closedText: '›' }),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        history(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        typeOver,
        this.language() === 'yaml' ? yaml() : [],
        // Before the keymap of completions, which has the highest precedence.
        Prec.highest(
          keymap.of([
            { key: 'Escape', run: letTabLeave },
            { key: 'Enter', run: finishValue },
          ]),
        ),
        autocompletion({ override: [completeFrom(() => this.schemas())], icons: false }),
        keymap.of([
          { key: 'Mod-s', run: () => this.requestSave(), preventDefault: true },
          ...completionKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.contentAttributes.of({
          'aria-label': this.label(),
          'aria-describedby': 'config-keys',
          // Scrollable content must be focusable.
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'none',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.text.set(update.state.sliceDoc());
        }),
        this.mode.of(modeOf(this.readOnly())),
        editorTheme(this.nonce),
      ],
    });
    this.mark(this.problems(), this.findings());
  }

  private requestSave(): boolean {
    this.save.emit();
    return true;
  }

  /** Replaces the text; undo restores the old one. */
  private show(text: string): void {
    const { view } = this;
    if (!view || view.state.sliceDoc() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }

  private mark(problems: readonly ConfigProblemDto[], findings: readonly Finding[]): void {
    const { view } = this;
    if (!view) return;
    const { doc } = view.state;
    const fitting = findings.filter(({ to }) => to <= doc.length);
    const diagnostics = [...problems.map((problem) => diagnosticOf(doc, problem)), ...fitting];
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }
}

/**
 * Lets the next Tab leave the editor. CodeMirror does this only if Escape has no other effect, but for a moment after
 * each letter it cancels pending completions that are not shown yet.
 */
function letTabLeave(view: EditorView): boolean {
  if (currentCompletions(view.state).length === 0) view.setTabFocusMode(TAB_LEAVES_MS);
  return false;
}

function modeOf(readOnly: boolean): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ 'aria-readonly': String(readOnly) }),
  ];
}

function diagnosticOf(doc: Text, { path, line, column, problem }: ConfigProblemDto): Diagnostic {
  const from = offsetOf(doc, line, column);
  const rest = doc.lineAt(from).text.slice(from - doc.lineAt(from).from);
  const length = /^("[^"]*"|'[^']*'|[^\s,:{}[\]]+)/.exec(rest)?.[0].length ?? Math.min(1, rest.length);
  return {
    from,
    to: from + length,
    severity: 'error',
    message: path ? `${path} ${problem}` : problem,
  };
}

function problemOf(doc: Text, { from, message }: Finding): ConfigProblemDto {
  const line = doc.lineAt(Math.min(from, doc.length));
  return { path: '', line: line.number, column: from - line.from + 1, problem: message };
}

/** The text may be shorter than when it was checked. */
function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}
