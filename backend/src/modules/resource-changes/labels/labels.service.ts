import { Injectable } from '@nestjs/common';
import { counted } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { type Cluster, ClusterConfigService } from '../../clusters/index.js';
import type { LabelChanges } from '../../kind-config/index.js';
import { ClusterResources, yaml } from '../../resources/index.js';
import { ChangeJournal, type Changed } from '../change/change-journal.js';
import type { AppliedLabelsDto } from './labels.dto.js';

const NODES = { group: '', version: 'v1', plural: 'nodes', namespace: null };

/** Sets labels of a changed config on running nodes, which otherwise needs a recreation. */
@Injectable()
export class LabelsService {
  constructor(
    private readonly configs: ClusterConfigService,
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** @throws DomainError `cluster_state` if the config does not change only labels, `resource_refused` */
  async apply(name: string, runtime: string | undefined, dryRun: boolean): Promise<AppliedLabelsDto> {
    return await this.configs.withLabelChanges(name, runtime, async (cluster, changes, record) => {
      const work = async (): Promise<Changed<AppliedLabelsDto>> => {
        const diff = await this.change(cluster, changes, dryRun);
        if (!dryRun) await record();
        const what = `the labels of ${counted(changes.size, 'node')}`;
        return {
          result: {
            ...diff,
            message: dryRun ? `Would change ${what}.` : `Changed ${what}.`,
            dry_run: dryRun,
          },
          message: `Changed ${what} to those of the saved config of ${name}, which is applied now.`,
          diff,
        };
      };
      if (dryRun) return (await work()).result;
      return await this.journal.during(
        { kind: 'config', cluster, reference: null, failure: `could not apply the labels of ${name}` },
        work,
      );
    });
  }

  private async change(
    cluster: Cluster,
    changes: ReadonlyMap<string, LabelChanges>,
    dryRun: boolean,
  ): Promise<Pick<AppliedLabelsDto, 'nodes' | 'before' | 'after' | 'warnings'>> {
    const { api } = await this.resources.open(cluster.name, cluster.runtime);
    const nodes = [...changes].map(([node, labels]) => ({
      reference: { ...NODES, name: `${cluster.name}-${node}` },
      change: { metadata: { labels } },
    }));
    const stored = await Promise.all(nodes.map(({ reference }) => api.read(reference)));
    let objects: KubernetesObject[] = [];
    let warnings: string[] = [];
    // All are checked before the first is changed.
    for (const isCheck of dryRun ? [true] : [true, false]) {
      [objects, warnings] = [[], []];
      for (const { reference, change } of nodes) {
        const written = await api.patch(reference, 'merge', change, { dryRun: isCheck });
        objects.push(written.object);
        warnings.push(...written.warnings);
      }
    }
    const [before = '', after = ''] = await Promise.all(
      [stored, objects].map((all) =>
        yaml.printPart(Object.fromEntries(all.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]))),
      ),
    );
    return { nodes: nodes.map(({ reference }) => reference.name), before, after, warnings };
  }
}
