import { Component, inject } from '@angular/core';
import type { DiagnosticsDto } from '../../shared/api/api-types';
import { Mark } from '../../shared/ui/mark';
import { NodeStrip } from '../../shared/ui/node-strip';
import { UI } from '../../shared/ui/ui';
import { CreateCluster } from '../create/create-cluster';
import { MachineState } from './machine-state';

/**
 * Shown instead of an empty list: what a cluster is, common topologies, and whether the host is ready. Its content is below
 * the topologies: other ways to get a cluster.
 */
@Component({
  selector: 'sw-first-cluster',
  imports: [Mark, NodeStrip, UI],
  templateUrl: './first-cluster.html',
  styleUrl: './first-cluster.scss',
})
export class FirstCluster {
  protected readonly create = inject(CreateCluster);
  protected readonly machine = inject(MachineState).live;
  protected readonly readiness = ({ ready, checks }: DiagnosticsDto): string => {
    if (!ready) return 'no';
    return checks.some(({ level }) => level === 'warning') ? 'warnings' : 'ready';
  };
  protected readonly shapes = [
    { text: $localize`Single node`, note: $localize`starts fastest`, controlPlanes: 1, workers: 0 },
    {
      text: $localize`One control plane, two workers`,
      note: $localize`to spread workloads`,
      controlPlanes: 1,
      workers: 2,
    },
    {
      text: $localize`Three control planes, load balancer, two workers`,
      note: $localize`high availability`,
      controlPlanes: 3,
      workers: 2,
    },
  ];
}
