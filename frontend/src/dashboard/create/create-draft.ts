/** What stands in the form, as it was typed. */
export interface PortDraft {
  listenAddress: string;
  hostPort: string;
  containerPort: string;
  protocol: 'TCP' | 'UDP' | 'SCTP';
}

export interface MountDraft {
  hostPath: string;
  containerPath: string;
  readOnly: boolean;
}

export interface AddonDraft {
  /** Of the catalogue's entry. */
  name: string;
  /** YAML; null for the catalogue's own. */
  values: string | null;
}

export interface CreateDraft {
  /** Fields, or a whole kind config. Both keep what was typed. */
  mode: 'form' | 'config';
  name: string;
  workers: string;
  tag: string;
  /** Empty: the engine that is the default. */
  runtime: string;
  controlPlanes: string;
  ports: PortDraft[];
  mounts: MountDraft[];
  addons: AddonDraft[];
  keepOnFailure: boolean;
  config: string;
}

export function emptyDraft(): CreateDraft {
  return {
    mode: 'form',
    name: '',
    workers: '1',
    tag: '',
    runtime: '',
    controlPlanes: '1',
    ports: [],
    mounts: [],
    addons: [],
    keepOnFailure: false,
    config: '',
  };
}
