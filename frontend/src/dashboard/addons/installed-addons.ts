import { CdkMenu, CdkMenuItem, CdkMenuTrigger } from '@angular/cdk/menu';
import { Component, inject, input, output } from '@angular/core';
import type { ReleaseDto } from '../../shared/api/api-types';
import { Icon } from '../../shared/ui/icon';
import { State } from '../../shared/ui/state';
import { ADDON_STATES, readyText, versionText } from './addon-labels';
import { ClusterAddons } from './cluster-addons';

/** Installed releases as rows with their actions. */
@Component({
  selector: 'sw-installed-addons',
  imports: [CdkMenu, CdkMenuItem, CdkMenuTrigger, Icon, State],
  template: `
    <ul>
      @for (release of releases(); track release.namespace + '/' + release.release) {
        <li [class.chosen]="isChosen(release)">
          <sw-state [state]="states[release.state].state" [word]="false" [silent]="true" />
          <span class="who">
            <button
              type="button"
              class="link"
              [attr.aria-expanded]="isChosen(release)"
              (click)="choose.emit(release)"
            >
              {{ release.name }}
            </button>
            <span class="muted">{{ release.namespace }}/{{ release.release }}</span>
          </span>
          <span class="version muted">
            {{ textOf(release) }}
            @if (release.available_version; as version) {
              <span i18n class="tag note">{{ version }} available</span>
            }
          </span>
          <span class="state" [class.bad]="release.state === 'failed'">
            {{ states[release.state].label }}
            <span class="muted">{{ readyOf(release) }}</span>
          </span>
          <span class="acts">
            <button
              i18n
              type="button"
              class="btn small"
              [disabled]="addons.opening() === release.release"
              aria-label="Open {{ release.name }} in a new window"
              i18n-aria-label
              (click)="addons.open(release)"
            >
              {addons.opening() === release.release, select, true {Opening} other {Open}}
              <sw-icon name="external" [size]="14" />
            </button>
            <button
              type="button"
              class="btn small icon quiet"
              title="More actions"
              i18n-title
              aria-label="More actions for {{ release.name }}"
              i18n-aria-label
              [cdkMenuTriggerFor]="menu"
            >
              <sw-icon name="dots" />
            </button>
            <ng-template #menu>
              <div cdkMenu class="menu">
                @if (release.available_version; as version) {
                  <button
                    i18n
                    type="button"
                    cdkMenuItem
                    [disabled]="addons.busy()"
                    (cdkMenuItemTriggered)="addons.upgrade(release, true)"
                  >
                    <sw-icon name="arrow-up" />Upgrade to {{ version }}…
                  </button>
                }
                <button
                  i18n
                  type="button"
                  cdkMenuItem
                  [disabled]="addons.busy()"
                  (cdkMenuItemTriggered)="addons.upgrade(release, false)"
                >
                  <sw-icon name="braces" />Upgrade with new values…
                </button>
                <hr />
                <button
                  i18n
                  type="button"
                  class="danger"
                  cdkMenuItem
                  [disabled]="addons.busy()"
                  (cdkMenuItemTriggered)="addons.uninstall(release)"
                >
                  <sw-icon name="trash" />Uninstall…
                </button>
              </div>
            </ng-template>
          </span>
        </li>
      }
    </ul>
  `,
  styles: `
    li {
      display: grid;
      grid-template-columns: 16px minmax(0, 1.4fr) minmax(0, 1.2fr) minmax(0, 0.8fr) auto;
      gap: 4px 14px;
      align-items: center;
      min-height: 44px;
      padding: 4px 16px;
      border-top: 1px solid var(--line);
      font-size: var(--fs-sm);
    }
    li.chosen {
      background: var(--selected);
    }
    .who {
      display: flex;
      flex-wrap: wrap;
      gap: 0 10px;
      align-items: center;
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .who button {
      min-height: 24px;
      text-align: left;
    }
    .version {
      overflow-wrap: anywhere;
    }
    .bad {
      color: var(--failed-text);
    }
    .acts {
      display: flex;
      gap: 4px;
    }
    @media (width <= 960px) {
      li {
        grid-template-columns: 16px minmax(0, 1fr) auto;
        padding-block: 8px;
      }
      .version,
      .state {
        grid-column: 2;
      }
      .acts {
        grid-column: 3;
        grid-row: 1;
      }
    }
  `,
})
export class InstalledAddons {
  protected readonly addons = inject(ClusterAddons);
  readonly releases = input.required<readonly ReleaseDto[]>();
  readonly chosen = input<{ release: string; namespace: string } | null>(null);
  readonly choose = output<ReleaseDto>();
  protected readonly states = ADDON_STATES;
  protected readonly textOf = versionText;
  protected readonly readyOf = readyText;

  protected isChosen({ release, namespace }: ReleaseDto): boolean {
    const chosen = this.chosen();
    return chosen?.release === release && chosen.namespace === namespace;
  }
}
