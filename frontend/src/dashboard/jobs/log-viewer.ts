import { CdkVirtualScrollViewport, ScrollingModule } from '@angular/cdk/scrolling';
import {
  afterNextRender,
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  inject,
  input,
  linkedSignal,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import type { JobLogLineDto } from '../../shared/api/api-types';
import { formatFull, plural } from '../../shared/format/format';
import { rootFontSize } from '../../shared/lines/line-look';
import { CopyButton } from '../../shared/ui/copy-button';
import { Icon } from '../../shared/ui/icon';
import { saveFile } from '../../shared/ui/save-file';
import { type LogRow, logTime, toRows, toText } from './log-rows';

/** Of a row, as in the tokens: `--h-line`. */
const ROW_REM = 1.375;
/** Nearer to the end than this many pixels, the view is at the end. */
const NEAR_END_PX = 24;
const PHONE = '(width <= 720px)';

/**
 * The log of a job: follows its end until one scrolls up, then says how many lines came. Only the rows in
 * view are in the page, so that ten thousand lines scroll as ten do.
 */
@Component({
  selector: 'sw-log-viewer',
  imports: [ScrollingModule, CopyButton, Icon],
  templateUrl: './log-viewer.html',
  styleUrl: './log-viewer.scss',
})
export class LogViewer {
  readonly lines = input.required<readonly JobLogLineDto[]>();
  readonly label = input.required<string>();
  /** The name of the file that it is saved as. */
  readonly file = input.required<string>();
  /** Lines may still come: the view then begins at the end. */
  readonly growing = input(false);

  private readonly viewport = viewChild.required(CdkVirtualScrollViewport);
  private readonly probe = viewChild.required<ElementRef<HTMLElement>>('probe');
  private readonly frame = viewChild.required<ElementRef<HTMLElement>>('frame');
  private readonly columns = signal<number | null>(null);
  private readonly last = computed(() => this.lines().at(-1)?.sequence ?? 0);
  private lastTop = 0;

  protected readonly rowHeight = ROW_REM * rootFontSize();
  protected readonly wrapped = signal(matchMedia(PHONE).matches);
  protected readonly rows = computed(() => toRows(this.lines(), this.wrapped() ? this.columns() : null));
  protected readonly text = computed(() => toText(this.lines()));
  protected readonly count = computed(() => plural(this.lines().length, 'line'));
  /** Who has scrolled up decides alone when to follow again; that a job ended changes nothing. */
  protected readonly following = linkedSignal<string, boolean>({
    source: this.file,
    computation: () => untracked(this.growing),
  });
  /** The last line that was there when one let go of the end. */
  private readonly seen = linkedSignal<string, number | null>({ source: this.file, computation: () => null });
  protected readonly unseen = computed(() => {
    const seen = this.seen();
    return this.following() || seen === null ? 0 : Math.max(0, this.last() - seen);
  });
  protected readonly time = logTime;
  protected readonly full = formatFull;
  protected readonly byKey = (_index: number, row: LogRow): string => row.key;

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const observer = new ResizeObserver(() => this.measure());
      observer.observe(this.frame().nativeElement);
      destroyed.onDestroy(() => observer.disconnect());
      this.measure();
    });
    afterRenderEffect(() => {
      this.rows();
      if (this.following()) this.scrollToEnd();
    });
  }

  protected scrolled(): void {
    const viewport = this.viewport();
    const top = viewport.measureScrollOffset('top');
    const atEnd = viewport.measureScrollOffset('bottom') < NEAR_END_PX;
    // New rows make the end go away from us; only a move upwards is a wish to stay.
    if (!atEnd && top < this.lastTop && this.following()) this.letGo();
    else if (atEnd && this.growing()) this.following.set(true);
    this.lastTop = top;
  }

  protected toggleFollowing(): void {
    if (this.following()) this.letGo();
    else this.follow();
  }

  protected follow(): void {
    this.following.set(true);
    this.scrollToEnd();
  }

  protected toggleWrapped(): void {
    this.wrapped.update((wrapped) => !wrapped);
  }

  protected save(): void {
    saveFile(this.text(), this.file(), 'text/plain');
  }

  private letGo(): void {
    this.seen.set(this.last());
    this.following.set(false);
  }

  private scrollToEnd(): void {
    // The viewport learns its new height with the next frame.
    requestAnimationFrame(() => {
      if (this.following()) this.viewport().scrollTo({ bottom: 0 });
    });
  }

  /** How many characters fit beside the time: the face is monospaced, so one is as wide as any. */
  private measure(): void {
    const probe = this.probe().nativeElement;
    const width = this.frame().nativeElement.clientWidth;
    const letters = probe.textContent.length;
    const letter = probe.getBoundingClientRect().width / letters;
    if (letter > 0) this.columns.set(Math.floor((width - probe.offsetLeft - 24) / letter));
    this.viewport().checkViewportSize();
  }
}
