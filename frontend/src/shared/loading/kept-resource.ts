import { effect, inject, untracked } from '@angular/core';
import { PageVisibility } from '../browser/page-visibility';
import { ApiResource } from './api-resource';

/** Data of the API that is also loaded again when its tab becomes visible. Requires an injection context. */
export class KeptResource<T, P = unknown> extends ApiResource<T, P> {
  constructor(...args: ConstructorParameters<typeof ApiResource<T, P>>) {
    super(...args);
    const { visible } = inject(PageVisibility);
    let isFirst = true;
    effect(() => {
      const isVisible = visible();
      if (isVisible && !isFirst) untracked(() => this.reload());
      isFirst = false;
    });
  }
}
