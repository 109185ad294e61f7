import type * as responses from './engine-responses.js';

interface CallOptions {
  abortSignal: AbortSignal;
}

/** A request for which dockerode has no method with the needed parameters. */
export interface EngineRequest {
  /** Ends with `?` if `options` are its query. */
  path: string;
  method: 'GET' | 'POST';
  /** Whether the response is the bidirectional connection. */
  hijack?: boolean;
  /** By default, 200 and 201 are a success. */
  statusCodes?: Record<number, string | true>;
  options?: Record<string, unknown>;
}

/** The used part of dockerode. Its own types lack the signal, and require fields that Podman omits. */
export interface EngineClient {
  ping: (options: CallOptions) => Promise<unknown>;
  version: (options: CallOptions) => Promise<responses.EngineVersion>;
  info: (options: CallOptions) => Promise<responses.EngineInfo>;
  listContainers: (
    options: CallOptions & { all: boolean; filters: { label?: string[] } },
  ) => Promise<responses.ContainerSummary[]>;
  listImages: (options: CallOptions) => Promise<responses.ImageSummary[]>;
  listVolumes: (options: CallOptions) => Promise<responses.VolumeList>;
  getEvents: (options: CallOptions & { filters: Record<string, string[]> }) => Promise<NodeJS.ReadableStream>;
  createImage: (options: CallOptions & { fromImage: string }) => Promise<NodeJS.ReadableStream>;
  getContainer: (id: string) => {
    inspect: (options: CallOptions) => Promise<responses.InspectedContainer>;
    getArchive: (options: CallOptions & { path: string }) => Promise<NodeJS.ReadableStream>;
    stats: (options: CallOptions & { stream: false; 'one-shot': true }) => Promise<responses.ContainerStats>;
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
        EndpointConfig?: { IPAMConfig: { IPv4Address: string } } | { GwPriority: number };
      },
    ) => Promise<unknown>;
    disconnect: (options: CallOptions & { Container: string }) => Promise<unknown>;
  };
  getVolume: (name: string) => {
    inspect: (options: CallOptions) => Promise<responses.InspectedVolume>;
    remove: (options: CallOptions) => Promise<unknown>;
  };
  getImage: (reference: string) => {
    inspect: (options: CallOptions) => Promise<responses.InspectedImage>;
    remove: (options: CallOptions) => Promise<unknown>;
  };
  modem: {
    dial: (
      options: EngineRequest & CallOptions & { isStream?: boolean },
      callback: (error: Error | null, response: unknown) => void,
    ) => void;
  };
}
