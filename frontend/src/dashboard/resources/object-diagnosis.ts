import { Component, computed, inject, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { CauseDto, ResourceObjectDto, TableRowDto } from '../../shared/api/api-types';
import { ProblemsStore } from '../../shared/live/problems-store';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { EvidenceList } from '../resource-model/evidence-list';
import { nameOf, OBJECT, objectPage, objectParams } from '../resource-model/resource-address';
import { CauseFixes } from './cause-fixes';

/** Why an object is unhealthy: the cause, its evidence and the next step. Empty for a healthy object. */
@Component({
  selector: 'sw-object-diagnosis',
  imports: [CauseFixes, EvidenceList, UI],
  template: `
    @if (shown(); as causes) {
      @for (cause of causes; track cause.code + cause.container + cause.object.name) {
        <section class="cause" aria-label="Cause" i18n-aria-label>
          <p class="inline strong">
            <sw-state state="failed" [silent]="true" /><span class="anywhere">{{ cause.message }}</span>
          </p>
          <p class="sm">{{ cause.next_step }}</p>
          @if (pageOf(cause); as page) {
            <p class="sm">
              {{ cause.object.kind }}
              <a class="mono" [swLink]="page">{{ cause.object.name | swRaw }}</a>
              @if (cause.count > 1) {
                <span i18n class="soft">and {{ cause.count - 1 }} more with the same cause</span>
              }
            </p>
          }
          <sw-cause-fixes
            [key]="key()"
            [object]="name()"
            [cause]="cause"
            [awaited]="isReading()"
            (applied)="read.reload()"
          />
          <details class="disclosure sm" [open]="causes.length === 1">
            <summary i18n>Evidence</summary>
            <sw-evidence-list [of]="cause.evidence" />
          </details>
        </section>
      }
    } @else if (isReading()) {
      <div class="cause awaited" aria-hidden="true"></div>
    }
  `,
  styles: `
    .awaited {
      min-height: 132px;
    }
    .cause {
      display: grid;
      gap: 6px;
      padding: 10px 12px;
      border-radius: var(--r-lg);
      background: var(--failed-tint);
    }
    .inline {
      align-items: flex-start;
    }
    sw-state {
      margin-top: 2px;
    }
  `,
  host: { class: 'stack', '[hidden]': '!shown() && !isReading()' },
})
export class ObjectDiagnosis {
  private readonly problems = inject(ProblemsStore);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  /** Changes when a Pod of a workload does. */
  readonly row = input.required<TableRowDto | null>();

  protected readonly name = computed(() => nameOf(this.object()));
  protected readonly read = apiResource(`${OBJECT}/diagnosis`, () => objectParams(this.key(), this.name()), {
    reloadOn: () => ({ object: this.object(), row: this.row() }),
  });

  /** Undefined without a cause. Until it is read, what the list of problems says of the object. */
  protected readonly shown = computed<CauseDto[] | undefined>(() => {
    const read = this.read.current();
    const causes = read?.causes ?? (this.read.problem() ? [] : this.known());
    return causes.length > 0 ? causes : undefined;
  });

  private known(): CauseDto[] {
    const { group, plural, namespace, name } = this.name();
    return (this.problems.of(this.key()) ?? [])
      .filter((problem) =>
        [problem, problem.found_in].some(
          (each) =>
            each.group === group &&
            each.plural === plural &&
            each.namespace === namespace &&
            each.name === name,
        ),
      )
      .map((problem) => ({ ...problem, object: problem.found_in, count: 1, fixes: [] }));
  }

  /** Whether there is a cause to read. Its place is kept, so that the details do not move when it arrives. */
  protected isReading(): boolean {
    const health = this.row()?.health;
    return (
      this.read.current() === null &&
      this.read.problem() === null &&
      (this.shown() !== undefined || health === 'failed' || health === 'warning')
    );
  }

  /** Undefined if the cause is in the object itself. */
  protected pageOf({ object }: CauseDto): string | undefined {
    const { namespace, name, type } = this.object();
    const isSame = object.kind === type.kind && object.name === name && object.namespace === namespace;
    return isSame ? undefined : objectPage(this.key(), object);
  }
}
