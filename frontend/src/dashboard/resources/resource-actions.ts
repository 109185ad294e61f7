import type { ComponentType } from '@angular/cdk/portal';
import { inject, Service } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  ChangedImagesDto,
  ChangedResourceDto,
  ResourceAction,
  ResourceObjectDto,
  ResourceTypeDto,
  TableRowDto,
} from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobScreen } from '../job-screen/job-screen';
import type { DeleteAnswer, DeleteQuestion } from './delete-dialog';
import type { DrainConsent, DrainQuestion } from './drain-dialog';
import { drainLosses } from './drain-losses';
import type { ImageQuestion } from './image-dialog';
import { kindTitle } from './kind-labels';
import { nameOf, type ObjectName, writeObject } from './resource-address';
import { ResourcesApi } from './resources-api';
import type { ScaleQuestion } from './scale-dialog';

const PARALLEL_DELETES = 6;

type ActionOutcome = 'kept' | 'changed' | 'gone';

@Service()
export class ResourceActions {
  private readonly api = inject(ResourcesApi);
  private readonly clusterActions = inject(ClusterActions);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  async run(action: ResourceAction, key: ClusterKey, object: ResourceObjectDto): Promise<ActionOutcome> {
    const name = nameOf(object);
    if (action === 'restart-pod') return this.restartPod(key, name);
    const changes = {
      scale: () => this.scale(key, object),
      restart: () => this.restart(key, name),
      'change-image': () => this.changeImage(key, object),
      run: () => this.runCronJob(key, name),
      suspend: () => this.suspend(key, object, true),
      resume: () => this.suspend(key, object, false),
      'pause-rollout': () => this.pauseRollout(key, name, true),
      'resume-rollout': () => this.pauseRollout(key, name, false),
      cordon: () => this.cordon(key, name, true),
      uncordon: () => this.cordon(key, name, false),
      drain: () => this.drain(key, name),
    };
    return (await changes[action]()) ? 'changed' : 'kept';
  }

  /** Takes the Pod template of an earlier revision. @returns whether that succeeded */
  rollBack(key: ClusterKey, object: ObjectName, revision: number): Promise<boolean> {
    return this.change(
      $localize`Could not roll back ${object.name}:object:.`,
      object,
      this.api.undoRollout(key, object, revision),
    );
  }

  /** @returns whether the object was deleted or is terminating */
  async delete(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const answer = await this.askDelete({
      what: object.name,
      names: [object.name],
      notes: deleteNotes(object.type, 1),
      arePods: isPods(object.type),
    });
    if (!answer) return false;
    return this.clusterActions.attempt($localize`Could not delete ${object.name}:object:.`, async () => {
      try {
        const { gone, message } = await this.api.remove(key, nameOf(object), optionsOf(answer));
        if (gone) this.toaster.done($localize`Deleted ${object.name}:object:.`);
        else this.toaster.done($localize`${object.name}:object: is terminating.`, message);
      } catch (error) {
        if (ApiProblem.of(error).code !== 'resource_not_found') throw error;
        this.toaster.done($localize`${object.name}:object: no longer exists.`);
      }
    });
  }

  /** Deletes the selected objects. @returns whether any was deleted */
  async deleteAll(key: ClusterKey, type: ResourceTypeDto, rows: readonly TableRowDto[]): Promise<boolean> {
    const names = rows.map(({ namespace, name }) => writeObject({ namespace, name }));
    const what = rows.length === 1 ? (rows[0]?.name ?? '') : `${rows.length} ${kindTitle(type)}`;
    const notes = deleteNotes(type, rows.length);
    const answer = await this.askDelete({ what, names, notes, arePods: isPods(type) });
    if (!answer) return false;
    const { group, version, plural: kind } = type;
    const pending = [...rows];
    const problems: string[] = [];
    let deleted = 0;
    const work = async (): Promise<void> => {
      for (let row = pending.shift(); row; row = pending.shift()) {
        const object = { group, version, plural: kind, namespace: row.namespace, name: row.name };
        try {
          await this.api.remove(key, object, optionsOf(answer));
          deleted += 1;
        } catch (error) {
          const problem = ApiProblem.of(error);
          if (problem.code === 'resource_not_found') deleted += 1;
          else problems.push(`${row.name}: ${problem.message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_DELETES }, work));
    const [first] = problems;
    if (first === undefined) {
      this.toaster.done($localize`Deleted ${what}:objects:.`);
    } else {
      const rest = problems.length > 1 ? $localize` And ${problems.length - 1}:count: more.` : '';
      this.toaster.failed(
        $localize`Could not delete ${problems.length}:failed: of ${rows.length}:total: objects.`,
        first + rest,
      );
    }
    return deleted > 0;
  }

  private async scale(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const question: ScaleQuestion = { name: object.name, replicas: object.replicas ?? 0 };
    const replicas = await this.ask<number>(
      () => import('./scale-dialog').then((file) => file.ScaleDialog),
      'scale',
      question,
    );
    if (replicas === undefined) return false;
    return this.change(
      $localize`Could not scale ${object.name}:object:.`,
      object,
      this.api.scale(key, nameOf(object), replicas),
    );
  }

  private async restart(key: ClusterKey, object: ObjectName): Promise<boolean> {
    const confirmed = await this.confirm.ask({
      title: $localize`Restart ${object.name}:object:?`,
      text: [$localize`Kubernetes replaces its Pods according to the update strategy.`],
      action: $localize`Restart`,
    });
    if (!confirmed) return false;
    return this.change(
      $localize`Could not restart ${object.name}:object:.`,
      object,
      this.api.restart(key, object),
    );
  }

  private async changeImage(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const question: ImageQuestion = { key, object };
    const changed = await this.dialogs.open<ChangedImagesDto>(
      () => import('./image-dialog').then((file) => file.ImageDialog),
      { data: question, ariaLabelledBy: 'image-title', autoFocus: '[data-first]', width: '640px' },
    );
    if (changed) this.toaster.done(`${object.name}: ${changed.message}`);
    return changed !== undefined;
  }

  private runCronJob(key: ClusterKey, object: ObjectName): Promise<boolean> {
    const failed = $localize`Could not run ${object.name}:object:.`;
    return this.change(failed, object, this.api.runOrSuspend(key, object, 'run'));
  }

  private async suspend(key: ClusterKey, object: ResourceObjectDto, suspend: boolean): Promise<boolean> {
    const { name, type } = object;
    const endsPods = suspend && type.plural === 'jobs';
    const confirmed =
      !endsPods ||
      (await this.confirm.ask({
        title: $localize`Suspend ${name}:object:?`,
        text: [
          $localize`Kubernetes terminates its running Pods. Their work starts again when the Job is resumed.`,
        ],
        action: $localize`Suspend`,
      }));
    if (!confirmed) return false;
    const failed = suspend
      ? $localize`Could not suspend ${name}:object:.`
      : $localize`Could not resume ${name}:object:.`;
    return this.change(
      failed,
      object,
      this.api.runOrSuspend(key, nameOf(object), suspend ? 'suspend' : 'resume'),
    );
  }

  private pauseRollout(key: ClusterKey, object: ObjectName, paused: boolean): Promise<boolean> {
    const failed = paused
      ? $localize`Could not pause the rollout of ${object.name}:object:.`
      : $localize`Could not resume the rollout of ${object.name}:object:.`;
    return this.change(failed, object, this.api.pauseRollout(key, object, paused));
  }

  private cordon(key: ClusterKey, node: ObjectName, cordoned: boolean): Promise<boolean> {
    const failed = cordoned
      ? $localize`Could not cordon ${node.name}:node:.`
      : $localize`Could not uncordon ${node.name}:node:.`;
    return this.change(failed, node, this.api.cordon(key, node, cordoned));
  }

  private change(
    failed: string,
    { name }: { name: string },
    request: Promise<ChangedResourceDto>,
  ): Promise<boolean> {
    return this.clusterActions.attempt(failed, async () => {
      const { message, warnings } = await request;
      this.toaster.done(`${name}: ${message}`, warnings.join(' '));
    });
  }

  private async drain(key: ClusterKey, node: ObjectName): Promise<boolean> {
    const confirmed = await this.confirm.ask({
      title: $localize`Drain ${node.name}:node:?`,
      text: [
        $localize`Slipway cordons the node and evicts its Pods, respecting disruption budgets. DaemonSet Pods stay.`,
        $localize`Slipway asks first if Pods would not be recreated or would lose local data. Uncordon the node to schedule Pods on it again.`,
      ],
      action: $localize`Drain`,
      danger: true,
    });
    if (!confirmed) return false;
    return this.clusterActions.attempt($localize`Could not drain ${node.name}:node:.`, async () => {
      const id = await this.startDrain(key, node, {});
      if (id !== undefined) await this.screen.open(id);
    });
  }

  /**
   * Asks to accept each kind of loss that the server reports, including new ones.
   * @returns the job; undefined if canceled
   */
  private async startDrain(
    key: ClusterKey,
    node: ObjectName,
    consent: DrainConsent,
  ): Promise<number | undefined> {
    try {
      const { job_id: id } = await this.api.drain(key, node, consent);
      return id;
    } catch (error) {
      const losses = drainLosses(ApiProblem.of(error));
      if (!losses) throw error;
      const question: DrainQuestion = { node: node.name, losses };
      const more = await this.ask<DrainConsent>(
        () => import('./drain-dialog').then((file) => file.DrainDialog),
        'drain',
        question,
      );
      return more && this.startDrain(key, node, { ...consent, ...more });
    }
  }

  /** Shows first who owns the Pod and whether it is recreated. */
  private async restartPod(key: ClusterKey, pod: ObjectName): Promise<ActionOutcome> {
    let outcome: ActionOutcome = 'kept';
    await this.clusterActions.attempt($localize`Could not restart ${pod.name}:pod:.`, async () => {
      // The dry run is forced so that it also covers Pods without a controller.
      const plan = await this.api.restartPod(key, pod, { force: true, dry_run: true });
      const force = !plan.comes_back;
      const confirmed = await this.confirm.ask({
        title: force ? $localize`Delete ${pod.name}:pod: permanently?` : $localize`Restart ${pod.name}:pod:?`,
        text: [plan.message],
        action: force ? $localize`Delete` : $localize`Restart`,
        danger: force,
      });
      if (!confirmed) return;
      const { message, replacement } = await this.api.restartPod(key, pod, { force });
      const next =
        replacement === null || replacement === pod.name
          ? ''
          : $localize` Its replacement is ${replacement}:pod:.`;
      this.toaster.done(
        force ? $localize`Deleted ${pod.name}:pod:.` : $localize`Restarted ${pod.name}:pod:.`,
        message + next,
      );
      // Pods of a StatefulSet keep their name.
      outcome = force || (replacement !== null && replacement !== pod.name) ? 'gone' : 'changed';
    });
    return outcome;
  }

  private askDelete(question: DeleteQuestion): Promise<DeleteAnswer | undefined> {
    return this.ask<DeleteAnswer>(
      () => import('./delete-dialog').then((file) => file.DeleteDialog),
      'delete',
      question,
    );
  }

  private ask<TAnswer>(
    load: () => Promise<ComponentType<unknown>>,
    name: string,
    data: unknown,
  ): Promise<TAnswer | undefined> {
    return this.dialogs.open<TAnswer>(load, {
      data,
      ariaLabelledBy: `${name}-title`,
      ...(name === 'scale' ? {} : { ariaDescribedBy: `${name}-text`, role: 'alertdialog' as const }),
      autoFocus: '[data-first]',
      width: '520px',
      panelClass: 'dialog-pane',
    });
  }
}

function optionsOf({ propagation, force }: DeleteAnswer): Parameters<ResourcesApi['remove']>[2] {
  return force ? { propagation, grace_period_seconds: 0 } : { propagation };
}

function isPods({ group, plural: kind }: ResourceTypeDto): boolean {
  return group === 'core' && kind === 'pods';
}

function deleteNotes(type: ResourceTypeDto, count: number): string[] {
  switch (`${type.group}/${type.plural}`) {
    case 'core/namespaces':
      return [
        $localize`All objects in the namespace are deleted too, including workloads, volume claims and Secrets.`,
      ];
    case 'core/pods':
      return [$localize`Pods with a controller are recreated, usually under a new name.`];
    case 'core/persistentvolumeclaims':
      return [$localize`The storage class may delete the data with the claim. kind’s default class does.`];
    case 'core/nodes':
      return [$localize`The node container is kept. Its kubelet may register the node again.`];
    case 'apiextensions.k8s.io/customresourcedefinitions':
      return [$localize`All custom resources of ${plural(count, 'kind')}:kinds: are deleted too.`];
    default:
      return [$localize`This cannot be undone.`];
  }
}
