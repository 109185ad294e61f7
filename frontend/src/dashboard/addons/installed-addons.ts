import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, input, output } from '@angular/core';
import type { ReleaseDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { ADDON_STATES, readyText, releaseState, versionText } from '../addon-model/addon-labels';
import { AddonsJob } from './addons-job';
import { ClusterAddons } from './cluster-addons';

@Component({
  selector: 'sw-installed-addons',
  imports: [AddonsJob, CdkMenu, CdkMenuItem, CdkMenuTrigger, UI],
  template: `
    <div class="panel-head">
      <h2 id="installed-title">{{ heading() }}</h2>
      @if (addons.installed()) {
        <span class="n">{{ addons.listed().length }}</span>
      }
      <ng-content />
    </div>
    @if (addons.job(); as job) {
      <sw-addons-job [job]="job" />
    }
    @if (addons.unknown(); as reason) {
      <p class="panel-note error-text">
        {{ reason }}
        <button i18n class="link" (click)="addons.retry()">Try again</button>
      </p>
    } @else if (!addons.installed()) {
      <sw-skeleton-rows label="Loading installed addons" i18n-label [count]="3" [height]="44" />
    }
    <ul class="row-list" [hidden]="!addons.installed()">
      @for (release of addons.listed(); track release.namespace + '/' + release.release) {
        <li [class.chosen]="isChosen(release)">
          <sw-state [state]="stateOf(release)" [silent]="true" />
          <span class="flow anywhere">
            <button class="link" [attr.aria-expanded]="isChosen(release)" (click)="choose.emit(release)">
              {{ release.name | swRaw }}
            </button>
            <span class="muted">{{ release.namespace | swRaw }}/{{ release.release | swRaw }}</span>
          </span>
          <span class="version muted anywhere">
            {{ textOf(release) }}
            @if (release.available_version; as version) {
              <span i18n class="tag note">{{ version }} available</span>
            }
          </span>
          <span class="state" [class.error-text]="release.state === 'failed'">
            {{ states[release.state].label }}
            <span class="muted">{{ readyOf(release) }}</span>
          </span>
          <span class="acts flow tight">
            @if (addons.hasPage(release)) {
              <button
                i18n
                class="btn small"
                [disabled]="addons.opening() === release.release"
                swAriaLabel="Open {{ release.name }} in a new window"
                i18n-swAriaLabel
                (click)="addons.open(release)"
              >
                {addons.opening() === release.release, select, true {Opening} other {Open}}
                <sw-icon name="external" [size]="14" />
              </button>
            }
            <button
              swIconButton="dots"
              label="More actions for {{ release.name }}"
              i18n-label
              title="More actions"
              i18n-title
              [cdkMenuTriggerFor]="menu"
            ></button>
            <ng-template #menu>
              <div cdkMenu class="menu">
                @if (release.available_version; as version) {
                  <button
                    i18n
                    cdkMenuItem
                    data-changes
                    [disabled]="addons.busy()"
                    (cdkMenuItemTriggered)="addons.upgrade(release)"
                  >
                    <sw-icon name="arrow-up" />Upgrade to {{ version }}…
                  </button>
                }
                <button
                  i18n
                  cdkMenuItem
                  data-changes
                  [disabled]="addons.busy()"
                  (cdkMenuItemTriggered)="addons.upgrade(release, true)"
                >
                  <sw-icon name="braces" />Upgrade with new values…
                </button>
                <hr />
                <button
                  i18n
                  class="danger"
                  cdkMenuItem
                  data-changes
                  [disabled]="addons.busy()"
                  (cdkMenuItemTriggered)="addons.uninstall(release)"
                >
                  <sw-icon name="trash" />Uninstall…
                </button>
              </div>
            </ng-template>
          </span>
        </li>
      } @empty {
        <li i18n class="soft empty">No Helm releases are installed.</li>
      }
    </ul>
    <ng-content select="[foot]" />
  `,
  styles: `
    li:not(.empty) {
      display: grid;
      /* The last column has room for its buttons: the others are aligned in rows without them. */
      grid-template-columns: 16px minmax(0, 1.4fr) minmax(0, 1.2fr) minmax(0, 0.8fr) minmax(9rem, auto);
    }
    .acts {
      justify-content: flex-end;
    }
    .chosen {
      background: var(--selected);
    }
    @media (width <= 960px) {
      li:not(.empty) {
        grid-template-columns: 16px minmax(0, 1fr) auto;
      }
      .version,
      .state {
        grid-column: 2;
      }
      .acts {
        grid-area: 1 / 3;
      }
    }
  `,
  host: { class: 'panel', role: 'region', 'aria-labelledby': 'installed-title' },
})
export class InstalledAddons {
  protected readonly addons = inject(ClusterAddons);
  readonly heading = input.required<string>();
  readonly chosen = input<{ release: string; namespace: string } | null>(null);
  readonly choose = output<ReleaseDto>();
  protected readonly states = ADDON_STATES;
  protected readonly stateOf = releaseState;
  protected readonly textOf = versionText;
  protected readonly readyOf = readyText;

  protected isChosen({ release, namespace }: ReleaseDto): boolean {
    const chosen = this.chosen();
    return chosen?.release === release && chosen.namespace === namespace;
  }
}
