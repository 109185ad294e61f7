import { CdkContextMenuTrigger, CdkMenu } from '@angular/cdk/menu';
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
import { Api } from '../../../shared/api/api';
import type { LogSourceDto, LogStoreDto } from '../../../shared/api/api-types';
import { lineCount } from '../../../shared/format/format';
import { SessionRights } from '../../../shared/session/may-change';
import { Confirm } from '../../../shared/ui/confirm';
import type { Question } from '../../../shared/ui/confirm-dialog';
import { MenuItem } from '../../../shared/ui/menu-item';
import { Toaster } from '../../../shared/ui/toaster';
import type { SourceSelection } from '../../search-model/source-group';
import { EMPTY_SELECTION } from '../../search-model/source-selection';
import { fullName, lastingSelection, storedLines } from '../../search-model/source-names';
import { PlainButton } from '../../../shared/ui/plain-button';
import { Raw } from '../../../shared/ui/raw';

/** Width of the menu, and its distance from the screen edge, in pixels. */
const WIDEST = 320;
const EDGE = 12;

@Component({
  selector: 'sw-source-menu',
  imports: [CdkContextMenuTrigger, CdkMenu, MenuItem, PlainButton, Raw],
  template: `
    <span #trigger hidden [cdkContextMenuTriggerFor]="menu" (cdkContextMenuClosed)="leave()"></span>
    <ng-template #menu>
      @if (source(); as one) {
        <div cdkMenu class="menu" [attr.aria-label]="label()">
          <div class="group anywhere" aria-hidden="true">{{ name() | swRaw }}</div>
          <button i18n swMenuItem="eye" (chosen)="showOnly(one)">Show only this source</button>
          @if (lasting(one); as all) {
            <button swMenuItem="refresh" (chosen)="selectionChange.emit(all.selection)">
              {{ all.label }}
            </button>
          }
          @if (rights.mayChange() && one.state !== 'gone') {
            <hr />
            @if (one.state === 'left_out') {
              <button i18n swMenuItem="play" (chosen)="setCollected(one, true)">Resume collection</button>
            } @else {
              <button i18n swMenuItem="eye-off" (chosen)="setCollected(one, false)">Stop collecting</button>
            }
          }
          @if (rights.mayChange() && one.next_seq > one.first_seq) {
            <hr />
            <button i18n class="danger" swMenuItem="trash" (chosen)="remove(one)">Delete history …</button>
          }
        </div>
      }
    </ng-template>
  `,
  styles: `
    .menu {
      max-width: min(${WIDEST}px, 100vw - ${2 * EDGE}px);
    }
  `,
})
export class SourceMenu {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly document = inject(DOCUMENT);
  private readonly trigger = viewChild.required<ElementRef<HTMLElement>>('trigger');
  readonly selectionChange = output<SourceSelection>();
  readonly deleted = output<number>();
  /** The key of the source whose menu had the focus when it closed. */
  readonly left = output<string>();

  protected readonly rights = inject(SessionRights);
  protected readonly source = signal<LogSourceDto | null>(null);
  protected readonly name = computed(() => {
    const source = this.source();
    return source ? fullName(source) : '';
  });
  protected readonly label = computed(() => $localize`Actions for ${this.name()}:source:`);
  protected readonly lasting = lastingSelection;

  /** @param event its position; the browser's own menu is suppressed */
  open(source: LogSourceDto, event: MouseEvent): void {
    event.preventDefault();
    this.source.set(source);
    const { clientY, button } = event;
    // Fits on a phone.
    const farthest = this.document.body.clientWidth - WIDEST - 2 * EDGE;
    const clientX = Math.max(EDGE, Math.min(event.clientX, farthest));
    const place = { clientX, clientY, button, cancelable: true };
    this.trigger().nativeElement.dispatchEvent(new MouseEvent('contextmenu', place));
  }

  protected leave(): void {
    const source = this.source();
    const focus = this.document.activeElement;
    // The pointer may have moved the focus elsewhere.
    if (source && (!focus || focus === this.document.body || focus.closest('.menu'))) {
      this.left.emit(source.key);
    }
  }

  protected showOnly({ key }: LogSourceDto): void {
    this.selectionChange.emit({ ...EMPTY_SELECTION, keys: [key] });
  }

  protected async setCollected(source: LogSourceDto, collected: boolean): Promise<void> {
    const name = fullName(source);
    await this.toaster.attempt($localize`Could not change ${name}:source:.`, async () => {
      await this.api.send('PUT /api/sources/{id}/intake', { id: source.id }, { taken_in: collected });
      if (collected) this.toaster.done($localize`Collecting ${name}:source: again.`);
      else {
        this.toaster.done(
          $localize`Stopped collecting ${name}:source:.`,
          $localize`The log history of this source is kept.`,
        );
      }
    });
  }

  protected async remove(source: LogSourceDto): Promise<void> {
    const name = fullName(source);
    await this.toaster.attempt($localize`Could not delete the history of ${name}:source:.`, async () => {
      // The tree's data may be seconds old.
      const [now, { capabilities }] = await Promise.all([
        this.api.get('/api/sources/{id}', { id: source.id }),
        this.api.get('/api/log-store'),
      ]);
      if (!(await this.confirm.ask(questionOf(now, capabilities.deletion)))) return;
      const { lines } = await this.api.send('DELETE /api/sources/{id}/history', { id: source.id });
      this.toaster.done($localize`Deleted ${lineCount(lines)}:lines: of ${name}:source:.`);
      this.deleted.emit(source.id);
    });
  }
}

function questionOf(source: LogSourceDto, deletion: LogStoreDto['capabilities']['deletion']): Question {
  const isGone = source.state === 'gone';
  return {
    title: $localize`Delete the history of ${fullName(source)}:source:?`,
    text: [
      $localize`You cannot undo this. Searches and links no longer find these lines, and Slipway does not read them from the engine again.`,
      ...(deletion === 'hide'
        ? [$localize`Slipway hides these lines. VictoriaLogs removes them when its retention ends.`]
        : []),
      isGone
        ? $localize`The source no longer exists and is removed from the list.`
        : $localize`New lines are collected as before.`,
    ],
    losses: storedLines(source),
    action: $localize`Delete`,
    danger: true,
  };
}
