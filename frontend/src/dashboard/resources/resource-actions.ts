import { inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  ChangedImagesDto,
  ChangedResourceDto,
  FixedDto,
  ResourceAction,
  ResourceObjectDto,
  UndoneRolloutDto,
} from '../../shared/api/api-types';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import type { Review } from '../editor/review-dialog';
import { JobScreen } from '../job-handle/job-screen';
import { isPodType, nameOf, OBJECT, type ObjectName, objectParams } from '../resource-model/resource-address';
import type { BulkQuestion, BulkResult } from './bulk-change-dialog';
import { bulkLabels } from './bulk-labels';
import type { DrainConsent, DrainQuestion } from './drain-dialog';
import { drainLosses } from './drain-losses';
import type { ExposeQuestion } from './expose-dialog';
import type { FixQuestion } from './fix-dialog';
import type { ImageQuestion } from './image-dialog';
import type { ScaleQuestion } from './scale-dialog';

type ActionOutcome = 'kept' | 'changed' | 'gone';

const NODE = '/api/v1/clusters/{name}/resources/core/v1/nodes/{object}';

@Service()
export class ResourceActions {
  private readonly api = inject(Api);
  private readonly clusterActions = inject(ClusterActions);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  async run(action: ResourceAction, key: ClusterKey, object: ResourceObjectDto): Promise<ActionOutcome> {
    const name = nameOf(object);
    if (action === 'restart-pod') return this.restartPod(key, name);
    const changes = {
      expose: () => this.expose(key, object),
      scale: () => this.scale(key, object),
      restart: () => this.changeAll({ action: 'restart', key, type: object.type, objects: [name] }),
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

  /** Starts an action on an object that no page shows. */
  async start(action: ResourceAction | 'undo', key: ClusterKey, object: ObjectName): Promise<void> {
    if (action === 'undo') {
      await this.rollBack(key, object);
      return;
    }
    await this.clusterActions.attempt($localize`Could not load ${object.name}:object:.`, async () => {
      const isRestart = action === 'restart' && isPodType(object);
      await this.run(
        isRestart ? 'restart-pod' : action,
        key,
        await this.api.get(OBJECT, objectParams(key, object)),
      );
    });
  }

  /**
   * Takes the Pod template of an earlier revision, by default the one before the current, after showing what that changes.
   * @returns whether that succeeded
   */
  async rollBack(key: ClusterKey, object: ObjectName, revision?: number): Promise<boolean> {
    let isDone = false;
    await this.clusterActions.attempt($localize`Could not roll back ${object.name}:object:.`, async () => {
      const undo = (dryRun: boolean, to: number | undefined): Promise<UndoneRolloutDto> =>
        this.api.send(
          `POST ${OBJECT}/rollout/undo`,
          { ...objectParams(key, object), dry_run: dryRun },
          { revision: to },
        );
      let result = await undo(true, revision);
      if (result.outcome !== 'unchanged') {
        const review: Review = {
          title: $localize`Roll back ${object.name}:name: to revision ${result.revision}:revision:?`,
          text: $localize`A rollout replaces the Pods.`,
          action: $localize`Roll back`,
          key,
          result,
        };
        const isConfirmed = await this.dialogs.open<true>(
          () => import('../editor/review-dialog').then((file) => file.ReviewDialog),
          { data: review, width: '640px' },
        );
        if (!isConfirmed) return;
        result = await undo(false, result.revision);
      }
      const { message, warnings } = result;
      this.toaster.done(`${object.name}: ${message}`, warnings.join(' '));
      isDone = true;
    });
    return isDone;
  }

  /** Shows what a fix changes, then applies it, in a job if it takes long. @returns whether it was applied */
  async fix(question: FixQuestion): Promise<boolean> {
    const result = await this.dialogs.open<FixedDto>(
      () => import('./fix-dialog').then((file) => file.FixDialog),
      { data: question, width: '640px' },
    );
    if (result?.job) await this.screen.open(result.job.job_id);
    else if (result) this.toaster.done(result.message, result.warnings.join(' '));
    return result !== undefined;
  }

  /** @returns whether the object was deleted or is terminating */
  async delete(key: ClusterKey, { type, namespace, name }: ResourceObjectDto): Promise<boolean> {
    return this.changeAll({ action: 'delete', key, type, objects: [{ namespace, name }] });
  }

  /** Asks once with the effect on each object, then changes them. @returns whether any was changed */
  async changeAll(question: BulkQuestion): Promise<boolean> {
    const result = await this.dialogs.open<BulkResult>(
      () => import('./bulk-change-dialog').then((file) => file.BulkChangeDialog),
      { data: question, asks: true, width: '600px' },
    );
    if (result?.failed === 0) {
      const [only] = question.objects;
      this.toaster.done(
        result.message === '' ? bulkLabels(question).done : `${only?.name ?? ''}: ${result.message}`,
      );
    }
    return (result?.done ?? 0) > 0;
  }

  private async scale(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const question: ScaleQuestion = { key, name: object.name, replicas: object.replicas ?? 0 };
    const replicas = await this.dialogs.open<number>(
      () => import('./scale-dialog').then((file) => file.ScaleDialog),
      { data: question, width: '520px', panelClass: 'dialog-pane' },
    );
    if (replicas === undefined) return false;
    return this.change(
      $localize`Could not scale ${object.name}:object:.`,
      object,
      this.api.send(`POST ${OBJECT}/scale`, objectParams(key, nameOf(object)), { replicas }),
    );
  }

  private async expose(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const question: ExposeQuestion = { key, object };
    const isExposed = await this.dialogs.open<boolean>(
      () => import('./expose-dialog').then((file) => file.ExposeDialog),
      { data: question, width: '640px' },
    );
    return isExposed === true;
  }

  private async changeImage(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const question: ImageQuestion = { key, object };
    const changed = await this.dialogs.open<ChangedImagesDto>(
      () => import('./image-dialog').then((file) => file.ImageDialog),
      { data: question, width: '640px' },
    );
    if (changed) this.toaster.done(`${object.name}: ${changed.message}`);
    return changed !== undefined;
  }

  private runCronJob(key: ClusterKey, object: ObjectName): Promise<boolean> {
    const failed = $localize`Could not run ${object.name}:object:.`;
    return this.change(failed, object, this.api.send(`POST ${OBJECT}/run`, objectParams(key, object)));
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
        key,
      }));
    if (!confirmed) return false;
    const failed = suspend
      ? $localize`Could not suspend ${name}:object:.`
      : $localize`Could not resume ${name}:object:.`;
    return this.change(
      failed,
      object,
      this.api.send(`POST ${OBJECT}/${suspend ? 'suspend' : 'resume'}`, objectParams(key, nameOf(object))),
    );
  }

  private pauseRollout(key: ClusterKey, object: ObjectName, paused: boolean): Promise<boolean> {
    const failed = paused
      ? $localize`Could not pause the rollout of ${object.name}:object:.`
      : $localize`Could not resume the rollout of ${object.name}:object:.`;
    return this.change(
      failed,
      object,
      this.api.send(`POST ${OBJECT}/rollout/${paused ? 'pause' : 'resume'}`, objectParams(key, object)),
    );
  }

  private cordon(key: ClusterKey, node: ObjectName, cordoned: boolean): Promise<boolean> {
    const failed = cordoned
      ? $localize`Could not cordon ${node.name}:node:.`
      : $localize`Could not uncordon ${node.name}:node:.`;
    return this.change(
      failed,
      node,
      this.api.send(`POST ${NODE}/${cordoned ? 'cordon' : 'uncordon'}`, { ...key, object: node.name }),
    );
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
      key,
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
      const { job_id: id } = await this.api.send(
        `POST ${NODE}/drain`,
        { ...key, object: node.name },
        consent,
      );
      return id;
    } catch (error) {
      const losses = drainLosses(ApiProblem.of(error));
      if (!losses) throw error;
      const question: DrainQuestion = { key, node: node.name, losses };
      const more = await this.dialogs.open<DrainConsent>(
        () => import('./drain-dialog').then((file) => file.DrainDialog),
        { data: question, asks: true },
      );
      return more && this.startDrain(key, node, { ...consent, ...more });
    }
  }

  /** Shows first who owns the Pod and whether it is recreated. */
  private async restartPod(key: ClusterKey, pod: ObjectName): Promise<ActionOutcome> {
    let outcome: ActionOutcome = 'kept';
    await this.clusterActions.attempt($localize`Could not restart ${pod.name}:pod:.`, async () => {
      // The dry run is forced so that it also covers Pods without a controller.
      const plan = await this.api.send('POST /api/v1/clusters/{name}/pods/restart', key, {
        namespace: pod.namespace ?? '',
        name: pod.name,
        force: true,
        dry_run: true,
      });
      const force = !plan.comes_back;
      const confirmed = await this.confirm.ask({
        title: force ? $localize`Delete ${pod.name}:pod: permanently?` : $localize`Restart ${pod.name}:pod:?`,
        text: [plan.message],
        action: force ? $localize`Delete` : $localize`Restart`,
        danger: force,
        key,
      });
      if (!confirmed) return;
      const { message, replacement } = await this.api.send('POST /api/v1/clusters/{name}/pods/restart', key, {
        namespace: pod.namespace ?? '',
        name: pod.name,
        force,
      });
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
}
