import {
  afterNextRender,
  Component,
  computed,
  CSP_NONCE,
  DestroyRef,
  DOCUMENT,
  effect,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
  ViewEncapsulation,
} from '@angular/core';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { Theme } from '../../shared/browser/theme';
import { SOCKET_QUERY } from '../../shared/live/live-connection';
import { openSocket } from '../../shared/live/open-socket';
import { StatsStore } from '../../shared/live/stats-store';
import { copyText } from '../../shared/ui/copy-text';
import { mediaSignal } from '../../shared/ui/media-signal';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { placeOf, shellAddress } from './shell-address';
import { ShellConnection, type ShellEnd } from './shell-connection';
import type { ShellTab } from './shells';
import { openWithNonce, terminalDocument } from './terminal-document';
import { terminalTheme } from './terminal-theme';

/** Output that keeps in memory; older lines are dropped. */
const SCROLLBACK = 5000;
const FONT_SIZE = 13;

/** A key that leaves the terminal or moves between shells. */
export type ShellKey = 'leave' | 'next' | 'previous';

const KEYS: Readonly<Record<string, ShellKey>> = {
  ArrowUp: 'leave',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
};

/** One terminal with its connection. */
@Component({
  selector: 'sw-shell-terminal',
  imports: [UI],
  templateUrl: './shell-terminal.html',
  styleUrl: './shell-terminal.scss',
  // The style sheet of xterm applies to elements that xterm creates.
  encapsulation: ViewEncapsulation.None,
})
export class ShellTerminal {
  private readonly document = inject(DOCUMENT);
  private readonly nonce = inject(CSP_NONCE, { optional: true });
  private readonly socketQuery = inject(SOCKET_QUERY);
  private readonly toaster = inject(Toaster);
  private readonly theme = inject(Theme);
  private readonly prefersDark = mediaSignal('(prefers-color-scheme: dark)');
  private readonly host = viewChild.required<ElementRef<HTMLElement>>('host');
  private readonly term = viewChild<ElementRef<HTMLInputElement>>('term');

  readonly tab = input.required<ShellTab>();
  readonly visible = input.required<boolean>();
  readonly screenReader = input.required<boolean>();
  readonly pressed = output<ShellKey>();
  /** The image has no shell. */
  readonly debugWanted = output();

  protected readonly isDemo = inject(StatsStore).isDemo;
  protected readonly state = signal<'connecting' | 'open' | 'ended'>('connecting');
  protected readonly progress = signal('');
  protected readonly end = signal<ShellEnd | null>(null);
  protected readonly finding = signal(false);
  protected readonly found = signal('');
  protected readonly again = computed(() =>
    this.end()?.exited ? $localize`Start again` : $localize`Reconnect`,
  );

  private readonly fit = new FitAddon();
  private readonly search = new SearchAddon();
  private readonly terminal = this.createTerminal();
  private connection: ShellConnection | undefined;
  private isDestroyed = false;

  constructor() {
    const resizes = new ResizeObserver(() => this.fitToHost());
    afterNextRender(() => void this.open(resizes));
    inject(DestroyRef).onDestroy(() => {
      this.isDestroyed = true;
      resizes.disconnect();
      this.connection?.close();
      this.terminal.dispose();
    });
    effect(() => {
      this.theme.choice();
      this.prefersDark();
      this.terminal.options.theme = terminalTheme(this.host().nativeElement);
    });
    effect(() => {
      this.terminal.options.screenReaderMode = this.screenReader();
    });
    effect(() => {
      if (this.visible()) this.terminal.focus();
    });
  }

  focus(): void {
    this.terminal.focus();
  }

  isOpen(): boolean {
    return this.state() === 'open';
  }

  /** Shows the search field. */
  startFinding(): void {
    this.finding.set(true);
    setTimeout(() => this.term()?.nativeElement.select());
  }

  protected find(event: Event, direction: 1 | -1): void {
    event.preventDefault();
    const text = this.term()?.nativeElement.value ?? '';
    const incremental = event.type === 'input';
    const isFound =
      direction === 1
        ? this.search.findNext(text, { incremental })
        : this.search.findPrevious(text, { incremental });
    this.found.set(isFound || text === '' ? '' : $localize`No match`);
  }

  protected endFinding(event?: Event): void {
    event?.stopPropagation();
    this.finding.set(false);
    this.found.set('');
    this.terminal.focus();
  }

  protected debug(): void {
    this.debugWanted.emit();
  }

  protected async connect(): Promise<void> {
    this.state.set('connecting');
    this.progress.set($localize`Connecting to ${placeOf(this.tab().target)}:place: …`);
    this.end.set(null);
    // The title of the ended program and its modes, such as a mouse that is captured, end with it.
    this.terminal.write('\x1b[!p\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?2004l');
    try {
      const { cols: columns, rows } = this.terminal;
      const ticket = await this.socketQuery();
      if (this.isDestroyed) return;
      const { path, query } = shellAddress(this.tab().target, { columns, rows }, ticket);
      this.attach(openSocket(path, query));
    } catch {
      this.finish({ text: $localize`Slipway does not respond.`, noShell: false, exited: false });
    }
  }

  private attach(socket: WebSocket): void {
    const connection = new ShellConnection(socket, {
      onOutput: (bytes) => this.terminal.write(bytes, () => connection.acknowledge(bytes.length)),
      onReady: () => {
        this.state.set('open');
        connection.resize(this.terminal.cols, this.terminal.rows);
        if (this.visible()) this.terminal.focus();
      },
      onProgress: (text) => this.progress.set(text),
      onEnd: (end) => this.finish(end),
    });
    this.connection = connection;
  }

  private finish(end: ShellEnd): void {
    this.state.set('ended');
    this.end.set(end);
    this.terminal.write('\r\n');
  }

  private createTerminal(): Terminal {
    return new Terminal({
      documentOverride: terminalDocument(this.document),
      cursorBlink: false,
      fontFamily: getComputedStyle(this.document.documentElement).getPropertyValue('--mono'),
      fontSize: FONT_SIZE,
      lineHeight: 1.2,
      scrollback: SCROLLBACK,
      minimumContrastRatio: 4.5,
      linkHandler: {
        activate: (_event, address) => this.follow(address),
        hover: (_event, address) => this.showAddress(address),
        leave: () => this.showAddress(''),
      },
    });
  }

  private async open(resizes: ResizeObserver): Promise<void> {
    const { terminal } = this;
    // Cells are measured once.
    await this.document.fonts.load(`${FONT_SIZE}px "JetBrains Mono Variable"`).catch(() => undefined);
    if (this.isDestroyed) return;
    terminal.loadAddon(this.fit);
    terminal.loadAddon(this.search);
    terminal.loadAddon(new WebLinksAddon((_event, address) => this.follow(address)));
    openWithNonce(terminal, this.host().nativeElement, this.nonce);
    terminal.textarea?.setAttribute('aria-label', $localize`Shell in ${placeOf(this.tab().target)}:place:`);
    terminal.attachCustomKeyEventHandler((event) => this.press(event));
    terminal.onData((text) => this.connection?.type(new TextEncoder().encode(text)));
    // Reports of the mouse, whose characters are bytes.
    terminal.onBinary((text) => this.connection?.type(Uint8Array.from(text, (each) => each.charCodeAt(0))));
    terminal.onResize(({ cols, rows }) => this.connection?.resize(cols, rows));
    this.fitToHost();
    resizes.observe(this.host().nativeElement);
    if (this.visible()) terminal.focus();
    await this.connect();
  }

  private fitToHost(): void {
    // A hidden terminal has no size.
    if (this.host().nativeElement.offsetHeight > 0) this.fit.fit();
  }

  /** Keys of the page. @returns whether the shell gets the key */
  private press(event: KeyboardEvent): boolean {
    if (!event.ctrlKey || !event.shiftKey || event.altKey) return true;
    const key = KEYS[event.key];
    const letter = event.key.toLowerCase();
    // The browser pastes by itself.
    if (letter === 'v') return false;
    if (key === undefined && letter !== 'c' && letter !== 'f') return true;
    event.preventDefault();
    event.stopPropagation();
    if (event.type !== 'keydown') return false;
    if (key) this.pressed.emit(key);
    else if (letter === 'f') this.startFinding();
    else void this.copy();
    return false;
  }

  private async copy(): Promise<void> {
    const text = this.terminal.getSelection();
    if (text !== '') await this.toaster.attempt($localize`Could not copy.`, () => copyText(text));
  }

  /** Programs choose these addresses. */
  private follow(address: string): void {
    if (isWebAddress(address)) window.open(address, '_blank', 'noopener,noreferrer');
  }

  /** The text of a link can differ from its address. */
  private showAddress(address: string): void {
    this.host().nativeElement.title = address;
  }
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}
