import { Component, input } from '@angular/core';
import { Icon, type IconName } from './icon';

export type NoticeTone = 'info' | 'warning' | 'failed' | 'demo';

/** A message with an icon. Put its action in an element with the attribute `action`. */
@Component({
  selector: 'sw-notice',
  imports: [Icon],
  template: `
    <sw-icon [name]="icon() ?? (['warning', 'failed'].includes(tone()) ? 'warning' : 'info')" />
    <div class="text"><ng-content /></div>
    <div class="action"><ng-content select="[action]" /></div>
  `,
  styles: `
    :host {
      display: flex;
      align-items: baseline;
      gap: 10px;
      padding: 8px 12px 8px 14px;
      border-radius: var(--r-lg);
      background: var(--accent-tint);
      font-size: var(--fs-sm);
      --edge: var(--accent);
    }
    sw-icon {
      position: relative;
      top: 3px;
      color: var(--edge);
    }
    .text {
      flex: 1 1 auto;
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .action {
      flex: none;
      display: flex;
      gap: var(--s-2);
      align-items: center;
    }
    .action:empty {
      display: none;
    }
    :host([data-tone='warning']) {
      background: var(--degraded-tint);
      --edge: var(--degraded-text);
    }
    :host([data-tone='failed']) {
      background: var(--failed-tint);
      --edge: var(--failed-text);
    }
    :host([data-tone='demo']) {
      padding-block: 2px;
      --edge: var(--demo-text);
      background: repeating-linear-gradient(
          -53.13deg,
          transparent 0 7px,
          color-mix(in srgb, var(--demo-glyph) 13%, transparent) 7px 8px
        )
        var(--demo-tint);
    }
    @media (width <= 720px) {
      :host {
        flex-wrap: wrap;
      }
      .text {
        flex: 1 1 0;
      }
      .action {
        flex: 1 0 100%;
        padding-left: 26px;
      }
      /* On every page: one line. */
      :host([data-tone='demo']) .action {
        flex: none;
        padding: 0;
      }
    }
  `,
  host: { '[attr.data-tone]': 'tone()', '[attr.role]': 'tone() === "failed" ? "alert" : "note"' },
})
export class Notice {
  readonly tone = input<NoticeTone>('info');
  /** By default, that of the tone. */
  readonly icon = input<IconName>();
}
