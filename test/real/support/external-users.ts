import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClusterKubeconfig } from '../../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';
import type { RealCluster } from './real-cluster.js';
import { yamlOf } from './broken-objects.js';

export const TEAM = 'external-team';
export const POD = 'talker';
/** The role of the administrators, which has no namespace. */
const BINDING = 'external-admin';

type Fields = Readonly<Record<string, unknown>>;

/** Users of a cluster with different rights, and kubeconfigs with which they reach it. */
export class ExternalUsers {
  constructor(private readonly cluster: RealCluster) {}

  file(name: string): string {
    return join(this.cluster.folder, name);
  }

  /** A Pod that prints lines, and service accounts: an administrator, and a user of one namespace. */
  async prepare(): Promise<void> {
    const named = (name: string): Fields => ({ metadata: { name, namespace: TEAM } });
    const account = (name: string): Fields => ({ kind: 'ServiceAccount', apiVersion: 'v1', ...named(name) });
    const subjects = (name: string): Fields[] => [{ kind: 'ServiceAccount', name, namespace: TEAM }];
    const rbac = 'rbac.authorization.k8s.io';
    const pod = {
      terminationGracePeriodSeconds: 0,
      // The default one is created a moment after the namespace.
      serviceAccountName: 'member',
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: 'busybox:1.36',
          imagePullPolicy: 'IfNotPresent',
          command: ['sh', '-c', 'while true; do echo talking; sleep 0.2; done'],
        },
      ],
    };
    const rules = [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] }];
    const objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TEAM } },
      account('admin'),
      account('member'),
      // Tokens that are bound to one of these end with it.
      ...['first', 'second'].map((name) => ({ apiVersion: 'v1', kind: 'Secret', ...named(name) })),
      { apiVersion: `${rbac}/v1`, kind: 'Role', ...named('reader'), rules },
      {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        ...named('reader'),
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
        subjects: subjects('member'),
      },
      {
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name: BINDING },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: subjects('admin'),
      },
      { apiVersion: 'v1', kind: 'Pod', ...named(POD), spec: pod },
    ];
    writeFileSync(this.file('users.yaml'), yamlOf(objects));
    await this.cluster.kubectl('apply', `--filename=${this.file('users.yaml')}`);
    await this.cluster.kubectl(
      ...['wait', '--for=condition=Ready', `pod/${POD}`, `--namespace=${TEAM}`, '--timeout=60s'],
    );
  }

  async remove(): Promise<void> {
    await this.cluster.kubectl('delete', 'clusterrolebinding', BINDING);
    await this.cluster.kubectl('delete', 'namespace', TEAM, '--wait=false');
  }

  async token(account: 'admin' | 'member', boundTo?: string): Promise<string> {
    const bound =
      boundTo === undefined ? [] : ['--bound-object-kind=Secret', `--bound-object-name=${boundTo}`];
    return await this.cluster.kubectl('create', 'token', account, `--namespace=${TEAM}`, ...bound);
  }

  /** The client certificate of the cluster administrator. */
  get administrator(): Fields {
    return this.own.user;
  }

  get authority(): string {
    return this.own.endpoint.certificateAuthority;
  }

  get server(): string {
    return this.own.endpoint.server;
  }

  /** Writes a kubeconfig whose contexts have the same name as their user and cluster. */
  write(file: string, contexts: Readonly<Record<string, { user: Fields; cluster?: Fields }>>): void {
    writeFileSync(this.file(file), this.text(contexts), { mode: 0o600 });
  }

  text(contexts: Readonly<Record<string, { user: Fields; cluster?: Fields }>>): string {
    const all = Object.entries(contexts);
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      contexts: all.map(([name]) => ({ name, context: { cluster: name, user: name } })),
      users: all.map(([name, { user }]) => ({ name, user })),
      clusters: all.map(([name, { cluster }]) => ({
        name,
        cluster: cluster ?? { server: this.server, 'certificate-authority-data': this.authority },
      })),
    });
  }

  private get own(): ClusterKubeconfig {
    return ClusterKubeconfig.parse(readFileSync(this.cluster.kubeconfigFile, 'utf8'));
  }
}
