/** The used fields, optional because versions of Docker and Podman differ and none must break a list. */
export interface ContainerSummary {
  Id: string;
  Names?: string[];
  Image?: string;
  ImageID?: string;
  State?: string;
  Status?: string;
  Created?: number;
  Labels?: Record<string, string> | null;
  Ports?: { IP?: string; PrivatePort?: number; PublicPort?: number; Type?: string }[] | null;
  NetworkSettings?: { Networks?: Record<string, { IPAddress?: string } | null> | null } | null;
  Mounts?: { Type?: string; Name?: string }[] | null;
}

export interface ContainerState {
  Status?: string;
  ExitCode?: number;
  OOMKilled?: boolean;
  StartedAt?: string;
  FinishedAt?: string;
}

export interface InspectedContainer {
  Id?: string;
  State?: ContainerState;
  Config?: { Image?: string; Env?: string[] | null; Tty?: boolean };
  HostConfig?: {
    NetworkMode?: string;
    LogConfig?: { Type?: string; Config?: Record<string, string> | null } | null;
    PortBindings?: Record<string, { HostIp?: string; HostPort?: string }[] | null> | null;
  };
  NetworkSettings?: { Networks?: Record<string, unknown> | null };
  Mounts?:
    | {
        Type?: string;
        Source?: string;
        Destination?: string;
        Mode?: string;
        RW?: boolean;
        Propagation?: string;
      }[]
    | null;
}

export interface ImageSummary {
  Id?: string;
  Created?: number;
  RepoTags?: string[] | null;
  RepoDigests?: string[] | null;
  Size?: number;
}

export interface InspectedImage {
  Architecture?: string;
}

export interface VolumeList {
  Volumes?: { Name: string; Labels?: Record<string, string> | null; CreatedAt?: string }[] | null;
}

export interface InspectedVolume {
  Labels?: Record<string, string> | null;
  CreatedAt?: string;
}

/** `Size` is -1 if a volume cannot be measured. */
export interface DiskUsage {
  Volumes?: { Name: string; UsageData?: { Size?: number } | null }[] | null;
}

export interface CreatedExecution {
  Id?: string;
}

export interface InspectedExecution {
  ExitCode?: number | null;
}

export interface ContainerStats {
  read?: string;
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
  memory_stats?: { usage?: number; limit?: number; stats?: Record<string, number> | null };
  networks?: Record<string, { rx_bytes?: number; tx_bytes?: number }> | null;
  blkio_stats?: { io_service_bytes_recursive?: { op?: string; value?: number }[] | null } | null;
}

export interface EngineVersion {
  Version?: string;
  ApiVersion?: string;
  Components?: { Name?: string; Version?: string }[];
}

export interface EngineInfo {
  NCPU?: number;
  MemTotal?: number;
  CgroupVersion?: string;
  SecurityOptions?: string[] | null;
  DockerRootDir?: string;
  /** Kernel name, such as `x86_64`. */
  Architecture?: string;
  DriverStatus?: string[][] | null;
  /** Product or distribution of the engine. */
  OperatingSystem?: string;
  KernelVersion?: string;
  /** Host name of the engine's machine. */
  Name?: string;
  Rootless?: boolean;
  SystemTime?: string;
}

export interface EngineEventMessage {
  Action?: string;
  time?: number;
  timeNano?: number;
  Actor?: { ID?: string; Attributes?: Record<string, string> };
}

export interface PullMessage {
  id?: string;
  status?: string;
  error?: string;
  errorDetail?: { message?: string };
  progressDetail?: { current?: number; total?: number } | null;
}
