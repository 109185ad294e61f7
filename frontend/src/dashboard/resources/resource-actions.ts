import { Dialog } from '@angular/cdk/dialog';
import { DOCUMENT, inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  ResourceAction,
  ResourceObjectDto,
  ResourceTypeDto,
  TableRowDto,
} from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { loadPart } from '../../shared/loading/load-part';
import { Confirm } from '../../shared/ui/confirm';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobScreen } from '../job-screen/job-screen';
import type { DeleteAnswer, DeleteQuestion } from './delete-dialog';
import type { DrainConsent, DrainQuestion } from './drain-dialog';
import { drainLosses } from './drain-losses';
import { kindTitle } from './kind-labels';
import { nameOf, type ObjectName, writeObject } from './resource-address';
import { ResourcesApi } from './resources-api';
import type { ScaleQuestion } from './scale-dialog';

/** Deletions that are under way at one time. */
const AT_ONCE = 6;

/** What an action left of its object. */
export type ActionOutcome = 'kept' | 'changed' | 'gone';

/** What changes objects of a cluster. Asks before anything is lost, and says what came of it. */
@Service()
export class ResourceActions {
  private readonly api = inject(ResourcesApi);
  private readonly clusterActions = inject(ClusterActions);
  private readonly confirm = inject(Confirm);
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  /** @returns what came of it: whether the object is as it was, another, or not there any more */
  async run(action: ResourceAction, key: ClusterKey, object: ResourceObjectDto): Promise<ActionOutcome> {
    if (action === 'restart-pod') return this.restartPod(key, nameOf(object));
    return (await this.change(action, key, object)) ? 'changed' : 'kept';
  }

  private change(
    action: Exclude<ResourceAction, 'restart-pod'>,
    key: ClusterKey,
    object: ResourceObjectDto,
  ): Promise<boolean> {
    const name = nameOf(object);
    switch (action) {
      case 'scale':
        return this.scale(key, object);
      case 'restart':
        return this.restart(key, object);
      case 'cordon':
      case 'uncordon':
        return this.cordon(key, name, action === 'cordon');
      case 'drain':
        return this.drain(key, name);
    }
  }

  /** @returns whether it was deleted, or is about to go */
  async delete(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const answer = await this.askDelete({
      what: object.name,
      names: [object.name],
      notes: deleteNotes(object.type, [object.name]),
      arePods: isPods(object.type),
    });
    if (!answer) return false;
    try {
      const { gone, message } = await this.api.remove(key, nameOf(object), optionsOf(answer));
      this.toaster.done(
        gone ? `${object.name} was deleted.` : `${object.name} is going.`,
        gone ? '' : message,
      );
      return true;
    } catch (error) {
      if (ApiProblem.of(error).code === 'resource_not_found') {
        this.toaster.done(`${object.name} was gone already.`);
        return true;
      }
      this.refused(error, `${object.name} was not deleted.`);
      return false;
    }
  }

  /** Deletes what was selected. @returns whether any was */
  async deleteAll(key: ClusterKey, type: ResourceTypeDto, rows: readonly TableRowDto[]): Promise<boolean> {
    const names = rows.map(({ namespace, name }) => writeObject({ namespace, name }));
    const what =
      rows.length === 1 ? (rows[0]?.name ?? '') : `${rows.length} ${kindTitle(type).toLowerCase()}`;
    const notes = deleteNotes(
      type,
      rows.map(({ name }) => name),
    );
    const answer = await this.askDelete({ what, names, notes, arePods: isPods(type) });
    if (!answer) return false;
    const { group, version, plural: kind } = type;
    const waiting = [...rows];
    const refusals: string[] = [];
    let deleted = 0;
    const work = async (): Promise<void> => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        const object = { group, version, plural: kind, namespace: row.namespace, name: row.name };
        try {
          await this.api.remove(key, object, optionsOf(answer));
          deleted += 1;
        } catch (error) {
          const problem = ApiProblem.of(error);
          if (problem.code === 'resource_not_found') deleted += 1;
          else refusals.push(`${row.name}: ${problem.message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const [first] = refusals;
    if (first === undefined) {
      this.toaster.done(rows.length === 1 ? `${what} was deleted.` : `${what} were deleted.`);
    } else {
      const rest = refusals.length > 1 ? ` And ${refusals.length - 1} more like it.` : '';
      this.toaster.failed(`${refusals.length} of ${rows.length} were not deleted.`, first + rest);
    }
    return deleted > 0;
  }

  private async scale(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const question: ScaleQuestion = { name: object.name, replicas: object.replicas ?? 0 };
    const { ScaleDialog } = await loadPart(() => import('./scale-dialog'));
    const replicas = await this.ask<number>(ScaleDialog, 'scale-title', question);
    if (replicas === undefined) return false;
    return this.attempt(`${object.name} was not scaled.`, async () => {
      const { message, warnings } = await this.api.scale(key, nameOf(object), replicas);
      this.toaster.done(`${object.name}: ${message}`, warnings.join(' '));
    });
  }

  private async restart(key: ClusterKey, object: ResourceObjectDto): Promise<boolean> {
    const sure = await this.confirm.ask({
      title: `Restart ${object.name}?`,
      text: [
        'Its pods are replaced one after the other, as its update strategy says. What runs on meanwhile keeps serving.',
      ],
      action: 'Restart it',
      keep: 'Leave it',
    });
    if (!sure) return false;
    return this.attempt(`${object.name} was not restarted.`, async () => {
      const { message, warnings } = await this.api.restart(key, nameOf(object));
      this.toaster.done(`${object.name}: ${message}`, warnings.join(' '));
    });
  }

  private cordon(key: ClusterKey, node: ObjectName, cordoned: boolean): Promise<boolean> {
    return this.attempt(`${node.name} was not ${cordoned ? 'cordoned' : 'uncordoned'}.`, async () => {
      const { message, warnings } = await this.api.cordon(key, node, cordoned);
      this.toaster.done(`${node.name}: ${message}`, warnings.join(' '));
    });
  }

  private async drain(key: ClusterKey, node: ObjectName): Promise<boolean> {
    const sure = await this.confirm.ask({
      title: `Drain ${node.name}?`,
      text: [
        'No new pod is placed on it, and its pods are asked to leave, as far as their disruption budgets allow. Those of daemon sets stay.',
        'If a pod would not come back, or would lose data that it keeps on the node, you are asked before anything is evicted. Uncordon the node to have pods placed on it again.',
      ],
      action: 'Drain it',
      keep: 'Leave it',
      danger: true,
    });
    if (!sure) return false;
    return this.attempt(`${node.name} is not drained.`, async () => {
      const id = await this.beginDrain(key, node, {});
      if (id !== undefined) await this.screen.open(id);
    });
  }

  /**
   * Has each sort of loss agreed to that the cluster names, also one that came up in between.
   * @returns the job; undefined where the person would rather leave it
   */
  private async beginDrain(
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
      const { DrainDialog } = await loadPart(() => import('./drain-dialog'));
      const question: DrainQuestion = { node: node.name, losses };
      const more = await this.ask<DrainConsent>(DrainDialog, 'drain-title', question, 'drain-text');
      return more && this.beginDrain(key, node, { ...consent, ...more });
    }
  }

  /** Says first who owns the pod and whether it comes back. */
  private async restartPod(key: ClusterKey, pod: ObjectName): Promise<ActionOutcome> {
    const failed = `${pod.name} was not restarted.`;
    let force = false;
    try {
      // To force a dry run harms nothing, and has it told what would become of a pod that nobody owns.
      const plan = await this.api.restartPod(key, pod, { force: true, dry_run: true });
      force = !plan.comes_back;
      const sure = await this.confirm.ask({
        title: force ? `Delete ${pod.name} for good?` : `Restart ${pod.name}?`,
        text: [plan.message],
        action: force ? 'Delete it all the same' : 'Restart it',
        keep: 'Leave it',
        danger: force,
      });
      if (!sure) return 'kept';
    } catch (error) {
      this.refused(error, failed);
      return 'kept';
    }
    let outcome: ActionOutcome = 'kept';
    await this.attempt(failed, async () => {
      const { message, replacement } = await this.api.restartPod(key, pod, { force });
      const next = replacement === null || replacement === pod.name ? '' : ` It is ${replacement} now.`;
      this.toaster.done(`${pod.name} was ${force ? 'deleted' : 'restarted'}.`, message + next);
      // A set's pod comes back under its name.
      outcome = force || (replacement !== null && replacement !== pod.name) ? 'gone' : 'changed';
    });
    return outcome;
  }

  private async attempt(failed: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.refused(error, failed);
      return false;
    }
  }

  private refused(error: unknown, title: string): void {
    this.toaster.problem(error, title, this.clusterActions.wayOut(error));
  }

  private async askDelete(question: DeleteQuestion): Promise<DeleteAnswer | undefined> {
    const { DeleteDialog } = await loadPart(() => import('./delete-dialog'));
    return this.ask<DeleteAnswer>(DeleteDialog, 'delete-title', question, 'delete-text');
  }

  private async ask<TAnswer>(
    component: new () => unknown,
    titleId: string,
    data: unknown,
    textId?: string,
  ): Promise<TAnswer | undefined> {
    const open = this.dialog.open<TAnswer>(component, {
      data,
      ariaLabelledBy: titleId,
      ...(textId ? { ariaDescribedBy: textId, role: 'alertdialog' as const } : {}),
      autoFocus: '[data-first]',
      width: '520px',
      panelClass: 'dialog-pane',
      backdropClass: 'veil',
    });
    const answer = await firstValueFrom(open.closed);
    catchLostFocus(this.document);
    return answer;
  }
}

function optionsOf({ propagation, atOnce }: DeleteAnswer): Parameters<ResourcesApi['remove']>[2] {
  return atOnce ? { propagation, grace_period_seconds: 0 } : { propagation };
}

function isPods({ group, plural: kind }: ResourceTypeDto): boolean {
  return group === 'core' && kind === 'pods';
}

/** What one would not think of. */
function deleteNotes(type: ResourceTypeDto, names: readonly string[]): string[] {
  const one = names.length === 1;
  switch (`${type.group}/${type.plural}`) {
    case 'core/namespaces':
      return [`Everything in ${one ? 'it' : 'them'} is deleted too: workloads, claims, secrets, all of it.`];
    case 'core/pods':
      return [
        `${one ? 'A pod that has an owner is' : 'Pods that have an owner are'} made again under another name.`,
      ];
    case 'core/persistentvolumeclaims':
      return ['The data goes with the claim, where the storage class says so, which kind’s own does.'];
    case 'core/nodes':
      return ['The node’s container stays: its kubelet may register it again.'];
    case 'apiextensions.k8s.io/customresourcedefinitions':
      return [`Every object of ${one ? 'this kind' : plural(names.length, 'kind')} is deleted with it.`];
    default:
      return ['It cannot be taken back.'];
  }
}
