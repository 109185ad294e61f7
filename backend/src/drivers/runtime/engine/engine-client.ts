import type {
  ContainerStats,
  ContainerSummary,
  EngineInfo,
  EngineVersion,
  ImageSummary,
  InspectedContainer,
  InspectedImage,
  VolumeList,
} from './engine-responses.js';

interface CallOptions {
  abortSignal: AbortSignal;
}

/** A request that the client has no method for, or one without the signal or the parameters that we need. */
export interface DialOptions extends CallOptions {
  /** Ends in `?` where `options` are its query. */
  path: string;
  method: 'GET' | 'POST';
  isStream?: boolean;
  /** The answer is the connection itself, both ways. */
  hijack?: boolean;
  statusCodes: Record<number, string | true>;
  options?: Record<string, unknown>;
}

/**
 * What is used of dockerode, typed by what is read of the answers. Its own types know neither the signal
 * of each call nor that Podman leaves fields out.
 */
export interface EngineClient {
  ping: (options: CallOptions) => Promise<unknown>;
  version: (options: CallOptions) => Promise<EngineVersion>;
  info: (options: CallOptions) => Promise<EngineInfo>;
  listContainers: (
    options: CallOptions & { all: boolean; filters: { label?: string[] } },
  ) => Promise<ContainerSummary[]>;
  listImages: (options: CallOptions) => Promise<ImageSummary[]>;
  listVolumes: (options: CallOptions) => Promise<VolumeList>;
  getEvents: (options: CallOptions & { filters: Record<string, string[]> }) => Promise<NodeJS.ReadableStream>;
  createImage: (options: CallOptions & { fromImage: string }) => Promise<NodeJS.ReadableStream>;
  getContainer: (id: string) => {
    inspect: (options: CallOptions) => Promise<InspectedContainer>;
    getArchive: (options: CallOptions & { path: string }) => Promise<NodeJS.ReadableStream>;
    stats: (options: CallOptions & { stream: false; 'one-shot': true }) => Promise<ContainerStats>;
    remove: (options: CallOptions & { force: boolean; v: boolean }) => Promise<unknown>;
    start: (options: CallOptions) => Promise<unknown>;
    stop: (options: CallOptions & { t: number }) => Promise<unknown>;
    pause: (options: CallOptions) => Promise<unknown>;
    unpause: (options: CallOptions) => Promise<unknown>;
    update: (
      options: CallOptions & { RestartPolicy: { Name: string; MaximumRetryCount: number } },
    ) => Promise<unknown>;
  };
  getNetwork: (name: string) => {
    connect: (
      options: CallOptions & {
        Container: string;
        EndpointConfig?: { IPAMConfig: { IPv4Address: string } };
      },
    ) => Promise<unknown>;
    disconnect: (options: CallOptions & { Container: string }) => Promise<unknown>;
  };
  getVolume: (name: string) => {
    inspect: (options: CallOptions) => Promise<unknown>;
    remove: (options: CallOptions) => Promise<unknown>;
  };
  getImage: (reference: string) => {
    inspect: (options: CallOptions) => Promise<InspectedImage>;
    remove: (options: CallOptions) => Promise<unknown>;
  };
  modem: {
    dial: (options: DialOptions, callback: (error: Error | null, answer: unknown) => void) => void;
  };
}
