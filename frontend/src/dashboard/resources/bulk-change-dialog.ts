import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField } from '@angular/forms/signals';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { EffectDto, PropagationName, ResourceTypeDto } from '../../shared/api/api-types';
import { ApiResource, TYPING_PAUSE_MS } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import {
  isPodType,
  OBJECT,
  type ObjectName,
  objectParams,
  typeParams,
  writeObject,
} from '../resource-model/resource-address';
import { type BulkAction, bulkLabels, mayOwn, sharedText } from './bulk-labels';
import { runEach } from './run-each';
import { objectCount } from '../../shared/format/format';

export interface BulkQuestion {
  action: BulkAction;
  key: ClusterKey;
  type: ResourceTypeDto;
  objects: readonly Pick<ObjectName, 'namespace' | 'name'>[];
}

export interface BulkResult {
  done: number;
  failed: number;
  /** Of the only object; empty for several. */
  message: string;
}

interface Outcome {
  ok: boolean;
  message: string;
}

const PARALLEL = 6;
const MAX_REPLICAS = 1000;

/**
 * One confirmation for a change of several objects, with its effect on each. Makes the change, and closes if it succeeded for
 * all; otherwise shows the result of each object.
 */
@Component({
  selector: 'sw-bulk-change-dialog',
  imports: [FormField, UI],
  templateUrl: './bulk-change-dialog.html',
  styles: `
    .objects {
      max-height: 42dvh;
      border: 1px solid var(--line);
      border-radius: var(--r-md);

      > li:first-child {
        border-top: 0;
      }
    }
  `,
})
export class BulkChangeDialog {
  private readonly api = inject(Api);
  protected readonly dialog = inject<DialogRef<BulkResult>>(DialogRef);
  protected readonly question = inject<BulkQuestion>(DIALOG_DATA);
  protected readonly labels = bulkLabels(this.question);
  protected readonly count = objectCount;
  protected readonly isScale = this.question.action === 'scale';
  protected readonly isDelete = this.question.action === 'delete';
  protected readonly choosesDependents = this.isDelete && mayOwn(this.question.type);
  protected readonly arePods = isPodType(this.question.type);
  protected readonly choices: readonly { value: PropagationName; text: string; hint: string }[] = [
    {
      value: 'background',
      text: $localize`Background`,
      hint: $localize`Default. Dependents are deleted after their owner.`,
    },
    {
      value: 'foreground',
      text: $localize`Foreground`,
      hint: $localize`Dependents are deleted before their owner.`,
    },
    { value: 'orphan', text: $localize`Orphan`, hint: $localize`Dependents are kept without an owner.` },
  ];
  protected readonly form = form(
    signal<{ propagation: PropagationName; force: boolean }>({ propagation: 'background', force: false }),
  );
  /** Null while no valid number is entered. */
  protected readonly replicas = signal<number | null>(this.isScale ? null : 0);
  protected readonly effects = new ApiResource<EffectDto[], number>(
    (replicas, signal) => {
      const { key, type, action, objects } = this.question;
      return this.api.send(
        'POST /api/v1/clusters/{name}/resources/{group}/{version}/{plural}/effects',
        typeParams(key, type),
        {
          action,
          objects: objects.map(({ namespace, name }) => ({ name, namespace: namespace ?? undefined })),
          ...(this.isScale && { replicas }),
        },
        signal,
      );
    },
    () => this.replicas() ?? undefined,
    { delayMs: this.isScale ? TYPING_PAUSE_MS : 0 },
  );
  /** The effects of what is entered; the last ones stay visible while others load. */
  private readonly known = computed(() => (this.replicas() === null ? [] : (this.effects.value() ?? [])));
  protected readonly possible = computed(() => this.known().filter(({ possible }) => possible));
  /** The effect on most objects. */
  protected readonly shared = computed(() => {
    const shared = sharedText(this.possible().map(textOf));
    const example = this.possible().find((effect) => textOf(effect) === shared?.text);
    return shared && { ...shared, loss: example?.loss === true };
  });
  protected readonly rows = computed(() =>
    this.question.objects.map(({ namespace, name }, index) => {
      const known = this.known()[index];
      const object = { namespace, name };
      return {
        object,
        id: writeObject(object),
        effect: known,
        text: known?.possible && textOf(known) === this.shared()?.text ? '' : known ? textOf(known) : '',
        outcome: this.outcomes().get(writeObject(object)),
      };
    }),
  );
  private readonly outcomes = signal<ReadonlyMap<string, Outcome>>(new Map());
  protected readonly busy = signal(false);
  /** Set once some objects failed. */
  protected readonly result = signal<BulkResult | null>(null);
  protected readonly ready = computed(
    () => !this.busy() && !this.effects.isLoading() && this.possible().length > 0,
  );
  protected readonly status = computed(() => {
    const result = this.result();
    if (result) return $localize`${result.done}:done: succeeded, ${result.failed}:failed: failed`;
    if (this.busy()) return `${this.outcomes().size} / ${this.possible().length}`;
    const skipped = this.known().length - this.possible().length;
    return skipped > 0 ? $localize`${objectCount(skipped)}:objects: skipped` : '';
  });

  protected typeReplicas(text: string): void {
    const number = Number(text);
    const isValid = text.trim() !== '' && Number.isInteger(number) && number >= 0 && number <= MAX_REPLICAS;
    this.replicas.set(isValid ? number : null);
  }

  protected async run(): Promise<void> {
    if (!this.ready() || this.result()) return;
    this.busy.set(true);
    this.dialog.disableClose = true;
    const batch = this.api.batch();
    await runEach(this.possible(), PARALLEL, async ({ namespace, name }) => {
      const outcome = await this.change(batch, { namespace, name });
      this.outcomes.update((all) => new Map(all).set(writeObject({ namespace, name }), outcome));
    });
    this.busy.set(false);
    this.dialog.disableClose = false;
    const outcomes = [...this.outcomes().values()];
    const done = outcomes.filter(({ ok }) => ok).length;
    const message = this.question.objects.length === 1 ? (outcomes[0]?.message ?? '') : '';
    const result = { done, failed: outcomes.length - done, message };
    if (result.failed === 0) this.dialog.close(result);
    else this.result.set(result);
  }

  protected close(): void {
    this.dialog.close(this.result() ?? undefined);
  }

  private async change(
    api: Pick<Api, 'send'>,
    object: Pick<ObjectName, 'namespace' | 'name'>,
  ): Promise<Outcome> {
    try {
      const { message } = await this.send(api, object);
      return { ok: true, message };
    } catch (error) {
      const { code, message } = ApiProblem.of(error);
      return { ok: this.isDelete && code === 'resource_not_found', message };
    }
  }

  private send(
    api: Pick<Api, 'send'>,
    object: Pick<ObjectName, 'namespace' | 'name'>,
  ): Promise<{ message: string }> {
    const { key, type, action } = this.question;
    const { group, version, plural: kind } = type;
    const name = { group, version, plural: kind, ...object };
    if (action === 'scale') {
      const replicas = this.replicas() ?? 0;
      return api.send(`POST ${OBJECT}/scale`, objectParams(key, name), { replicas });
    }
    if (action === 'delete') {
      const { propagation, force } = this.form().value();
      return api.send(`DELETE ${OBJECT}`, {
        ...objectParams(key, name),
        propagation,
        ...(force && { grace_period_seconds: 0 }),
      });
    }
    // The confirmation said which Pods are not recreated.
    return this.arePods
      ? api.send('POST /api/v1/clusters/{name}/pods/restart', key, {
          namespace: object.namespace ?? '',
          name: object.name,
          force: true,
        })
      : api.send(`POST ${OBJECT}/restart`, objectParams(key, name));
  }
}

function textOf({ effect, warnings }: EffectDto): string {
  return [effect, ...warnings].join(' ');
}
