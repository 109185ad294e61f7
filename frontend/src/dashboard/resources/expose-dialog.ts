import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, ElementRef, inject, signal } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ExposedDto, ExposeDto, ResourceObjectDto } from '../../shared/api/api-types';
import { asSentence, formatList } from '../../shared/format/format';
import { ApiResource, TYPING_PAUSE_MS } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { Forwarding, type OpenForward } from '../forwards/forwarding';
import { describePort, portsOf } from '../forwards/target-ports';
import { nameOf, OBJECT, objectParams } from '../resource-model/resource-address';

export interface ExposeQuestion {
  key: ClusterKey;
  object: ResourceObjectDto;
}

interface Draft {
  port: string;
  /** Empty: by the port. */
  protocol: string;
  name: string;
  ingress: boolean;
  host: string;
}

const FIELDS = ['port', 'name', 'host'];

/** Exposes a workload: previews what is created, then shows the link. Closes with whether it was exposed. */
@Component({
  selector: 'sw-expose-dialog',
  imports: [UI],
  templateUrl: './expose-dialog.html',
})
export class ExposeDialog {
  private readonly api = inject(Api);
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly forwarding = inject(Forwarding);
  protected readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  protected readonly question = inject<ExposeQuestion>(DIALOG_DATA);
  private readonly object = nameOf(this.question.object);
  protected readonly ports = portsOf(this.question.object);
  protected readonly portHint =
    this.ports.length > 0
      ? $localize`Declared: ${formatList(this.ports.map(describePort))}:ports:.`
      : $localize`The port that the program listens on. None is declared.`;
  protected readonly draft = signal<Draft>({ port: '', protocol: '', name: '', ingress: true, host: '' });
  private readonly request = computed(() => requestOf(this.draft()));
  /** Result of a dry run for what is entered. */
  private readonly review = new ApiResource(
    (request: ExposeDto, signal) => this.send(request, true, signal),
    () => this.request(),
    { delayMs: TYPING_PAUSE_MS },
  );
  protected readonly isChecking = this.review.isLoading;
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly problem = computed(
    () => this.failure() ?? (this.isChecking() ? null : this.review.problem()),
  );
  /** Stays while the next one is loaded, so that fields do not come and go. */
  protected readonly planned = this.review.value;
  protected readonly plan = computed(() => (this.problem() ? null : this.planned()));
  protected readonly hasIngress = computed(() => {
    const planned = this.planned();
    return planned !== null && planned.ingress_class !== null && planned.protocol === 'http';
  });
  protected readonly otherProblem = computed(() => {
    const problem = this.problem();
    return problem?.fields.some(({ field }) => FIELDS.includes(field)) ? null : problem;
  });
  protected readonly busy = signal(false);
  /** Other problems may have passed, such as a cluster that did not respond. */
  protected readonly isBlocked = computed(() => this.busy() || (this.problem()?.fields.length ?? 0) > 0);
  protected readonly actionText = computed(() => (this.busy() ? $localize`Exposing` : $localize`Expose`));
  protected readonly exposed = signal<ExposedDto | null>(null);
  /** The port-forward that leads there, whose links work once each. */
  protected readonly forward = computed(() => forwardOf(this.exposed()));

  protected edit(change: Partial<Draft>): void {
    this.failure.set(null);
    this.draft.update((draft) => ({ ...draft, ...change }));
  }

  protected errorOf(field: string): string {
    const found = this.problem()?.fields.find((each) => each.field === field);
    return found ? asSentence(found.problem) : '';
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.isBlocked()) return;
    this.busy.set(true);
    try {
      const request = this.request();
      this.exposed.set(await this.send(request, false));
      // Once it is shown.
      setTimeout(() => this.host.querySelector<HTMLElement>('[data-open]')?.focus());
    } catch (error) {
      this.failure.set(ApiProblem.of(error));
    } finally {
      this.busy.set(false);
    }
  }

  private send(request: ExposeDto, dryRun: boolean, signal?: AbortSignal): Promise<ExposedDto> {
    const params = { ...objectParams(this.question.key, this.object), dry_run: dryRun };
    return this.api.send(`POST ${OBJECT}/expose`, params, request, signal);
  }
}

/** Without what is empty, for which Slipway has defaults. */
function requestOf({ ingress, host, ...draft }: Draft): ExposeDto {
  const texts = Object.entries({ ...draft, host: ingress ? host : '' })
    .map(([field, text]) => [field, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return { ...(Object.fromEntries(texts) as ExposeDto), ...(!ingress && { ingress }) };
}

function forwardOf(exposed: ExposedDto | null): OpenForward | null {
  const service = exposed?.objects[0];
  if (!exposed || !service || exposed.local_address === null) return null;
  return {
    plural: 'services',
    namespace: service.namespace ?? '',
    object: service.name,
    port: String(exposed.service_port),
    local_port: Number(exposed.local_address.split(':').at(-1)),
  };
}
