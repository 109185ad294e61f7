import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { formatCount, lineCount } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { lineAddress } from '../search-model/line-address';
import { deliveryLabel, plainText } from './alert-messages';

@Component({
  selector: 'sw-alert-firings',
  imports: [UI, RouterLink],
  template: `
    @if (firings.problem(); as failed) {
      <p class="pad error-text" role="alert">
        {{ failed.message }}
        <button class="link" (click)="firings.reload()" i18n>Retry</button>
      </p>
    }
    @if (rows(); as all) {
      @for (firing of all; track firing.id) {
        <div class="firing pad line-above">
          <div class="flow anywhere soft">
            <sw-ago [time]="firing.time" />
            @if (firing.test) {
              <span class="tag note" i18n>Test</span>
            } @else {
              <span>{{ lineCount(firing.count) }}</span>
            }
            @if (deliveryLabel(firing); as words) {
              <span [class.error-text]="firing.webhook.state === 'failed'">{{ words }}</span>
            }
          </div>
          @if (firing.sample; as sample) {
            <code class="anywhere">{{ plainText(sample.text) }}</code>
            @if (firing.kept && firing.source_key; as key) {
              <a class="link" routerLink="/logs" [queryParams]="lineAddress(key, sample.seq)" i18n
                >Show line {{ formatCount(sample.seq) }} in logs</a
              >
            } @else {
              <span class="soft" i18n>The log history no longer has this line.</span>
            }
          }
        </div>
      } @empty {
        <p class="pad soft" i18n>This alert has not fired yet</p>
      }
    } @else if (!firings.problem()) {
      <sw-skeleton-rows label="Loading the alert history" i18n-label [count]="2" [height]="44" />
    }
  `,
  styles: `
    :host {
      display: block;
      max-height: 360px;
      background: var(--sunken);
    }
    code {
      display: block;
      margin-top: 2px;
      white-space: pre-wrap;
    }
  `,
  // It scrolls, so it must be focusable.
  host: { class: 'scroll sm', tabindex: '0', role: 'region', '[attr.aria-label]': 'label' },
})
export class AlertFirings {
  protected readonly label = $localize`Alert history`;
  readonly alertId = input.required<number>();
  readonly fresh = input(0);
  protected readonly firings = apiResource('/api/alerts/{id}/firings', () => ({ id: this.alertId() }), {
    reloadOn: this.fresh,
    refresh: {},
  });
  protected readonly rows = this.firings.value;
  protected readonly lineAddress = lineAddress;
  protected readonly deliveryLabel = deliveryLabel;
  protected readonly plainText = plainText;
  protected readonly lineCount = lineCount;
  protected readonly formatCount = formatCount;
}
