import { Component, computed, effect, inject, input, resource, signal, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AlertFiringDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { Ago } from '../../shared/ui/ago';
import { lineAddress } from '../logs/line-address';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { deliveryLabel, plainText } from './alert-messages';
import { AlertsApi } from './alerts-api';

/** The last firings of an alert, the newest first. */
@Component({
  selector: 'sw-alert-firings',
  imports: [Ago, RouterLink, SkeletonRows],
  template: `
    @if (problem(); as failed) {
      <p class="remark" role="alert">
        {{ failed.message }}
        <button type="button" class="link" (click)="firings.reload()">Try again</button>
      </p>
    }
    @if (rows(); as all) {
      @for (firing of all; track firing.id) {
        <div class="firing">
          <div class="head">
            <sw-ago [time]="firing.time" />
            @if (firing.test) {
              <span class="tag note">Test</span>
            } @else {
              <span>{{ plural(firing.count, 'line') }}</span>
            }
            @if (deliveryLabel(firing); as words) {
              <span [class.bad]="firing.webhook.state === 'failed'">{{ words }}</span>
            }
          </div>
          @if (firing.sample; as sample) {
            <code>{{ plainText(sample.text) }}</code>
            @if (firing.kept && firing.source_key; as key) {
              <a class="link" routerLink="/logs" [queryParams]="lineAddress(key, sample.seq)"
                >Show line {{ sample.seq.toLocaleString('en') }} in the logs</a
              >
            } @else {
              <span class="gone">The line is not in history any more.</span>
            }
          }
        </div>
      } @empty {
        <p class="remark">It has not fired yet.</p>
      }
    } @else if (!problem()) {
      <sw-skeleton-rows label="Loading its firings" [count]="2" [height]="44" />
    }
  `,
  styles: `
    :host {
      max-height: 360px;
      overflow: auto;
      background: var(--sunken);
      font-size: var(--fs-sm);
    }
    .firing,
    .remark {
      padding: 8px 16px;
      color: var(--text-2);
    }
    .firing + .firing {
      border-top: 1px solid var(--line);
    }
    .head {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 12px;
      align-items: center;
      overflow-wrap: anywhere;
    }
    code {
      display: block;
      margin-top: 2px;
      color: var(--text);
      overflow-wrap: anywhere;
      white-space: pre-wrap;
    }
    a,
    .gone {
      display: inline-flex;
      align-items: center;
      min-height: 24px;
    }
    .bad {
      color: var(--failed-text);
    }
  `,
  // It scrolls: the keyboard has to get there.
  host: { tabindex: '0', role: 'region', 'aria-label': 'Firings' },
})
export class AlertFirings {
  private readonly api = inject(AlertsApi);
  readonly alertId = input.required<number>();
  /** Another value looks again. */
  readonly fresh = input(0);
  protected readonly firings = resource({
    params: () => this.alertId(),
    loader: ({ params }) => this.api.firings(params),
  });
  protected readonly rows = signal<readonly AlertFiringDto[] | null>(null);
  protected readonly problem = computed(() => {
    const error = this.firings.error();
    return error ? ApiProblem.of(error) : null;
  });
  protected readonly lineAddress = lineAddress;
  protected readonly deliveryLabel = deliveryLabel;
  protected readonly plainText = plainText;
  protected readonly plural = plural;

  constructor() {
    effect(() => {
      if (this.firings.hasValue()) this.rows.set(this.firings.value());
    });
    effect(() => {
      this.fresh();
      if (untracked(this.rows)) untracked(() => this.firings.reload());
    });
  }
}
