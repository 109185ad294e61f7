import {
  flag,
  labels,
  list,
  mapOf,
  number,
  prose,
  record,
  text,
  texts,
  time,
  within,
  word,
  type Read,
} from '../../../core/parsing/index.js';

/*
 * The used fields, optional because versions of Docker and Podman differ and none must break a list. A field of an
 * unexpected type counts as missing.
 */

/** A map, or a list of `key=value`, which Podman prints from version 6 (kubernetes-sigs/kind#4203). */
const engineLabels: typeof labels = (value) =>
  labels(
    Array.isArray(value) ? Object.fromEntries(value.map((label) => String(label).split(/=(.*)/s))) : value,
  );

/** Seconds since 1970 that are a date. */
const seconds = within(0, 8.64e12);

const networks = mapOf(record({ IPAddress: word, Gateway: word }));

export const containerSummary = record(
  {
    Names: texts,
    Image: word,
    ImageID: word,
    State: word,
    Status: word,
    Created: seconds,
    Labels: engineLabels,
    Ports: list(record({ IP: word, PrivatePort: number, PublicPort: number, Type: word })),
    NetworkSettings: record({ Networks: networks }),
    Mounts: list(record({ Type: word, Name: word })),
  },
  { Id: word },
);

const containerState = record({
  Status: word,
  ExitCode: number,
  OOMKilled: flag,
  StartedAt: time,
  FinishedAt: time,
});

export const inspectedContainer = record({
  Id: word,
  State: containerState,
  Config: record({ Image: word, Env: texts, Tty: flag }),
  HostConfig: record({
    NetworkMode: word,
    LogConfig: record({ Type: word, Config: labels }),
    PortBindings: mapOf(list(record({ HostIp: word, HostPort: word }))),
  }),
  NetworkSettings: record({ Networks: networks }),
  Mounts: list(
    record({ Type: word, Source: text(), Destination: text(), Mode: word, RW: flag, Propagation: word }),
  ),
});

export const imageSummary = record({
  Id: word,
  Created: seconds,
  RepoTags: texts,
  RepoDigests: texts,
  Size: number,
});

export const inspectedImage = record({ Architecture: word });

export const inspectedVolume = record({ Labels: engineLabels, CreatedAt: time });

export const volumeList = record({
  Volumes: list(record({ Labels: engineLabels, CreatedAt: time }, { Name: word })),
});

/** `Size` is -1 if a volume cannot be measured. */
export const diskUsage = record({
  Volumes: list(record({ UsageData: record({ Size: number }) }, { Name: word })),
});

export const createdExecution = record({ Id: word });

export const inspectedExecution = record({ ExitCode: number });

export const containerStats = record({
  read: time,
  cpu_stats: record({ cpu_usage: record({ total_usage: number }) }),
  memory_stats: record({ usage: number, limit: number, stats: mapOf(number) }),
  networks: mapOf(record({ rx_bytes: number, tx_bytes: number })),
  blkio_stats: record({ io_service_bytes_recursive: list(record({ op: word, value: number })) }),
});

export const engineVersion = record({
  Version: word,
  ApiVersion: word,
  Components: list(record({ Name: word, Version: word })),
});

export const engineInfo = record({
  NCPU: number,
  MemTotal: number,
  CgroupVersion: word,
  SecurityOptions: texts,
  DockerRootDir: text(),
  /** Kernel name, such as `x86_64`. */
  Architecture: word,
  DriverStatus: list(texts),
  /** Product or distribution of the engine. */
  OperatingSystem: word,
  KernelVersion: word,
  /** Host name of the engine's machine. */
  Name: word,
  Rootless: flag,
  SystemTime: time,
});

export const engineEventMessage = record({
  Action: word,
  time: seconds,
  timeNano: within(0, 8.64e21),
  Actor: record({ ID: word, Attributes: labels }),
});

export const pullMessage = record({
  id: word,
  status: prose(),
  error: prose(),
  errorDetail: record({ message: prose() }),
  progressDetail: record({ current: number, total: number }),
});

export type ContainerSummary = Read<typeof containerSummary>;
export type ContainerState = Read<typeof containerState>;
export type InspectedContainer = Read<typeof inspectedContainer>;
export type ImageSummary = Read<typeof imageSummary>;
export type InspectedImage = Read<typeof inspectedImage>;
export type InspectedVolume = Read<typeof inspectedVolume>;
export type VolumeList = Read<typeof volumeList>;
export type ContainerStats = Read<typeof containerStats>;
export type EngineVersion = Read<typeof engineVersion>;
export type EngineInfo = Read<typeof engineInfo>;
export type EngineEventMessage = Read<typeof engineEventMessage>;
export type PullMessage = Read<typeof pullMessage>;
