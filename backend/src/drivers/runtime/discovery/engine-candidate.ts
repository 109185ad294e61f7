/** How an engine's API is reached. */
export type EngineEndpoint =
  | { type: 'socket'; path: string }
  | { type: 'tcp'; host: string; port: number; tls: { certificateFolder: string } | null };

/** A place where an engine may answer, and why it is looked for there. */
export interface EngineCandidate {
  /** Which engine is expected; what answers decides in the end. */
  engine: 'docker' | 'podman';
  endpoint: EngineEndpoint;
  /** For people: `docker context "colima"`. */
  source: string;
  /** What the engine's own program needs to reach the same place; empty where it does by itself. */
  environment: Readonly<Record<string, string>>;
}

/** A place that is configured but cannot be used, and what to do about it. */
export interface RefusedCandidate {
  engine: 'docker' | 'podman';
  source: string;
  reason: string;
  fix: string;
}

export interface DiscoveryResult {
  /** In the order of preference. */
  candidates: EngineCandidate[];
  refused: RefusedCandidate[];
}

export function describeEndpoint(endpoint: EngineEndpoint): string {
  return endpoint.type === 'socket' ? endpoint.path : `${endpoint.host}:${endpoint.port}`;
}
