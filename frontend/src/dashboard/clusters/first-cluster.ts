import { Component, inject } from '@angular/core';
import type { ClusterNodeDto } from '../../shared/api/api-types';
import { Icon } from '../../shared/ui/icon';
import { Mark } from '../../shared/ui/mark';
import { NodeStrip } from '../../shared/ui/node-strip';
import { State } from '../../shared/ui/state';
import { CreateCluster } from '../create/create-cluster';
import { MachineState } from './machine-state';

interface Shape {
  text: string;
  note: string;
  controlPlanes: number;
  workers: number;
  nodes: ClusterNodeDto[];
}

/** What stands in place of an empty list: what a cluster is, what it costs, and whether this machine is ready. */
@Component({
  selector: 'sw-first-cluster',
  imports: [Icon, Mark, NodeStrip, State],
  templateUrl: './first-cluster.html',
  styleUrl: './first-cluster.scss',
})
export class FirstCluster {
  private readonly create = inject(CreateCluster);
  protected readonly machine = inject(MachineState).live;
  protected readonly shapes: readonly Shape[] = [
    shape('One node', 'the quickest', 1, 0),
    shape('One control plane, two workers', 'for what has to be spread', 1, 2),
    shape('Three control planes, load balanced, two workers', 'as in production', 3, 2),
  ];

  protected open(controlPlanes?: number, workers?: number): void {
    void this.create.open(controlPlanes === undefined ? {} : { controlPlanes, workers });
  }

  protected openConfig(): void {
    void this.create.open({ mode: 'config' });
  }
}

function shape(text: string, note: string, controlPlanes: number, workers: number): Shape {
  const node = (role: ClusterNodeDto['role']): ClusterNodeDto => ({
    name: role,
    role,
    state: 'running',
    address: null,
    image: '',
  });
  return {
    text,
    note,
    controlPlanes,
    workers,
    nodes: [
      ...Array.from({ length: controlPlanes }, () => node('control-plane')),
      ...(controlPlanes > 1 ? [node('external-load-balancer')] : []),
      ...Array.from({ length: workers }, () => node('worker')),
    ],
  };
}
