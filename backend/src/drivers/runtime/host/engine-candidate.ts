export type EngineEndpoint =
  | { type: 'socket'; path: string }
  | { type: 'tcp'; host: string; port: number; tls: { certificateFolder: string } | null };

export interface EngineCandidate {
  endpoint: EngineEndpoint;
  /** For messages: `docker context "colima"`. */
  source: string;
  /** Variables with which the engine's CLI uses the same endpoint; empty if that is its default. */
  environment: Readonly<Record<string, string>>;
}

/** A configured location that Slipway cannot use, with a fix. */
interface RefusedCandidate {
  source: string;
  reason: string;
  fix: string;
}

export interface DiscoveryResult {
  /** In order of preference. */
  candidates: EngineCandidate[];
  refused: RefusedCandidate[];
}

export function describeEndpoint(endpoint: EngineEndpoint): string {
  return endpoint.type === 'socket' ? endpoint.path : `${endpoint.host}:${endpoint.port}`;
}
