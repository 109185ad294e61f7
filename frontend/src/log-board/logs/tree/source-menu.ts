import { CdkContextMenuTrigger, CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import {
  Component,
  computed,
  DOCUMENT,
  type ElementRef,
  inject,
  output,
  signal,
  viewChild,
} from '@angular/core';
import type { LogSourceDto, LogStoreDto } from '../../../shared/api/api-types';
import { formatBytes, formatFull, plural } from '../../../shared/format/format';
import { Confirm } from '../../../shared/ui/confirm';
import type { Question } from '../../../shared/ui/confirm-dialog';
import { Icon } from '../../../shared/ui/icon';
import { LogStoreApi } from '../../storage/log-store-api';
import { Toaster } from '../../../shared/ui/toaster';
import type { SourceChoice } from './belongings';
import { NOTHING_CHOSEN } from './source-choice';
import { fullName, lastingChoice } from './source-names';
import { SourcesApi } from './sources-api';

/** Of a menu, and between it and the edge of a narrow screen, in pixels. */
const WIDEST = 320;
const EDGE = 12;

/** What can be done with one source of the tree: a menu where one points, or at the source that has the focus. */
@Component({
  selector: 'sw-source-menu',
  imports: [CdkContextMenuTrigger, CdkMenu, CdkMenuItem, Icon],
  template: `
    <span #trigger hidden [cdkContextMenuTriggerFor]="menu" (cdkContextMenuClosed)="leave()"></span>
    <ng-template #menu>
      @if (source(); as one) {
        <div cdkMenu class="menu" [attr.aria-label]="'What can be done with ' + name()">
          <div class="group" aria-hidden="true">{{ name() }}</div>
          <button type="button" cdkMenuItem (cdkMenuItemTriggered)="showAlone(one)">
            <sw-icon name="eye" />Show only this
          </button>
          @if (lasting(); as all) {
            <button type="button" cdkMenuItem (cdkMenuItemTriggered)="choose.emit(all.choice)">
              <sw-icon name="refresh" />{{ all.words }}
            </button>
          }
          @if (one.state !== 'gone') {
            <hr />
            @if (one.state === 'left_out') {
              <button type="button" cdkMenuItem (cdkMenuItemTriggered)="setTakenIn(one, true)">
                <sw-icon name="play" />Take in again
              </button>
            } @else {
              <button type="button" cdkMenuItem (cdkMenuItemTriggered)="setTakenIn(one, false)">
                <sw-icon name="eye-off" />Leave out
              </button>
            }
          }
          @if (one.next_seq > one.first_seq) {
            <hr />
            <button type="button" class="danger" cdkMenuItem (cdkMenuItemTriggered)="remove(one)">
              <sw-icon name="trash" />Delete its history…
            </button>
          }
        </div>
      }
    </ng-template>
  `,
  styles: `
    .menu {
      max-width: min(${WIDEST}px, 100vw - ${2 * EDGE}px);
    }
    .group {
      overflow-wrap: anywhere;
    }
  `,
})
export class SourceMenu {
  private readonly api = inject(SourcesApi);
  private readonly storeApi = inject(LogStoreApi);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly document = inject(DOCUMENT);
  private readonly trigger = viewChild.required<ElementRef<HTMLElement>>('trigger');
  readonly choose = output<SourceChoice>();
  /** The id of the source of which nothing is kept any more. */
  readonly deleted = output<number>();
  /** The key of the source whose menu closed while it had the focus. */
  readonly left = output<string>();

  protected readonly source = signal<LogSourceDto | null>(null);
  protected readonly name = computed(() => {
    const source = this.source();
    return source ? fullName(source) : '';
  });
  protected readonly lasting = computed(() => {
    const source = this.source();
    return source && lastingChoice(source);
  });

  /** @param event says where; its own menu is not shown */
  open(source: LogSourceDto, event: MouseEvent): void {
    event.preventDefault();
    this.source.set(source);
    const { clientY, button } = event;
    // Whole on a phone too.
    const farthest = this.document.body.clientWidth - WIDEST - 2 * EDGE;
    const clientX = Math.max(EDGE, Math.min(event.clientX, farthest));
    const place = { clientX, clientY, button, cancelable: true };
    this.trigger().nativeElement.dispatchEvent(new MouseEvent('contextmenu', place));
  }

  protected leave(): void {
    const source = this.source();
    const focus = this.document.activeElement;
    // Somebody may have gone elsewhere with the pointer.
    if (source && (!focus || focus === this.document.body || focus.closest('.menu'))) {
      this.left.emit(source.key);
    }
  }

  protected showAlone({ key }: LogSourceDto): void {
    this.choose.emit({ ...NOTHING_CHOSEN, keys: [key] });
  }

  protected async setTakenIn(source: LogSourceDto, takenIn: boolean): Promise<void> {
    const name = fullName(source);
    try {
      await this.api.setTakenIn(source.id, takenIn);
      if (takenIn) this.toaster.done(`${name} is taken in again.`);
      else this.toaster.done(`${name} is left out.`, 'What is kept of it stays.');
    } catch (error) {
      this.toaster.problem(error, `${name} was not changed.`);
    }
  }

  protected async remove(source: LogSourceDto): Promise<void> {
    const name = fullName(source);
    try {
      // What the tree knows of a busy source may be seconds old.
      const [now, { capabilities }] = await Promise.all([this.api.one(source.id), this.storeApi.read()]);
      if (!(await this.confirm.ask(questionOf(now, capabilities.deletion)))) return;
      const { lines } = await this.api.deleteHistory(source.id);
      this.toaster.done(`${plural(lines, 'line')} of ${name} ${lines === 1 ? 'was' : 'were'} deleted.`);
      this.deleted.emit(source.id);
    } catch (error) {
      this.toaster.problem(error, `The history of ${name} was not deleted.`);
    }
  }
}

/** Says what is lost. */
function questionOf(source: LogSourceDto, deletion: LogStoreDto['capabilities']['deletion']): Question {
  const { first_seq, next_seq, first_time, last_time, bytes, state } = source;
  const lines = `${plural(next_seq - first_seq, 'line')}, ${formatBytes(bytes)} of text`;
  const isGone = state === 'gone';
  return {
    title: `Delete the history of ${fullName(source)}?`,
    text: [
      'You cannot undo this. Searches and links no longer find these lines, and Slipway does not read them from the engine again.',
      ...(deletion === 'hide'
        ? ['Slipway hides these lines. VictoriaLogs removes them when its retention ends.']
        : []),
      isGone
        ? 'The source is gone, and leaves the list with its history.'
        : 'What it writes from now on is kept as before.',
    ],
    losses: [
      lines,
      ...(first_time !== null && last_time !== null
        ? [`written from ${formatFull(first_time)} to ${formatFull(last_time)}`]
        : []),
    ],
    action: 'Delete its history',
    danger: true,
  };
}
