import type { Duplex, Readable } from 'node:stream';
import type { RunningProgram } from '../runtime/index.js';

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Starts with a slash; its components are already encoded. */
  path: string;
  /** Media type; by default JSON. */
  accept?: string;
  contentType?: string;
  body?: string;
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface ApiResponse {
  status: number;
  text: string;
  /** Warnings of the server, for example about a deprecated version (header `Warning`). */
  warnings?: string[];
}

export interface ApiStream {
  path: string;
  accept?: string;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** A connection to one API server: over TLS to a real one, in memory to one of the demo. */
export interface ApiConnection {
  /** @returns a response with any status. @throws Error if there is no response. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Reads a watch until the server ends it or the signal aborts.
   * @returns the response; its text is empty if the status is 200.
   * @throws Error if the connection breaks.
   */
  stream(stream: ApiStream): Promise<ApiResponse>;
  /**
   * Opens a byte stream with backpressure, such as a log that is followed. It fails when the signal aborts.
   * @returns a response instead if its status is not 200.
   * @throws Error if there is no response.
   */
  open(path: string, signal: AbortSignal): Promise<Readable | ApiResponse>;
  /**
   * Opens a connection to a port of a Pod. Missing in the demo, whose Pods run no programs.
   * @returns a response instead if the server rejects the request.
   * @throws Error if there is no response.
   */
  forward?(path: string): Promise<Duplex | ApiResponse>;
  /**
   * Runs a program in a container of a Pod.
   * @returns a response instead if the server rejects the request.
   * @throws Error if there is no response.
   */
  exec(path: string): Promise<RunningProgram | ApiResponse>;
}
