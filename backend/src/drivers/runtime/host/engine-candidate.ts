export type EngineEndpoint =
  { type: 'socket'; path: string } | { type: 'tcp'; host: string; port: number; tls: EngineTls | null };

export interface EngineTls {
  certificateFolder: string;
  /** The files of CERTIFICATE_FILES that exist. */
  files: readonly string[];
  /** False if the user accepts any certificate of the engine. */
  verify: boolean;
}

/** The certificate authority, and the certificate and the key of the client. */
export const CERTIFICATE_FILES = ['ca.pem', 'cert.pem', 'key.pem'] as const;

export interface EngineCandidate {
  endpoint: EngineEndpoint;
  /** For messages: `docker context "colima"`. */
  source: string;
  /** Variables with which the engine's CLI uses the same endpoint; empty if that is its default. */
  environment: Readonly<Record<string, string>>;
  /** The fix if it fails; by default, start the engine of this machine. */
  fix?: string;
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

/**
 * Where an engine runs its containers. `native`: directly on this machine. `remote`: on another machine, whose containers
 * cannot reach the loopback addresses of this one. `vm`: in a virtual machine of this one, which forwards the connections
 * of its containers to loopback, where they look like the user's own. `unknown`: its response is missing or unclear.
 */
export type EnginePlacement = 'native' | 'remote' | 'vm' | 'unknown';
