import { Component, computed, input } from '@angular/core';
import type { CauseDto, ProblemDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { OBJECT, objectParams } from '../resource-model/resource-address';
import { CauseFixes } from './cause-fixes';

/** The ways to remove the cause of a problem, read from the diagnosis of its object. */
@Component({
  selector: 'sw-problem-fixes',
  imports: [CauseFixes],
  template: `
    <sw-cause-fixes
      [key]="key()"
      [object]="problem()"
      [cause]="cause()"
      [awaited]="read.current() === null && read.problem() === null"
      (applied)="read.reload()"
    />
  `,
})
export class ProblemFixes {
  readonly problem = input.required<ProblemDto>();
  protected readonly key = computed(() => ({
    name: this.problem().cluster,
    runtime: this.problem().runtime,
  }));
  protected readonly read = apiResource(`${OBJECT}/diagnosis`, () =>
    objectParams(this.key(), this.problem()),
  );

  protected readonly cause = computed<CauseDto>(() => {
    const { found_in: object, ...problem } = this.problem();
    const read = this.read
      .current()
      ?.causes.find(({ code, container }) => code === problem.code && container === problem.container);
    return read ?? { ...problem, object, count: 1, fixes: [] };
  });
}
