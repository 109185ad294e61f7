import type { Duplex, Readable } from 'node:stream';

/** One question to an API server. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash, its parts encoded already. */
  path: string;
  /** Media type that is asked for; JSON where nothing is said. */
  accept?: string;
  contentType?: string;
  body?: string;
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface ApiResponse {
  status: number;
  text: string;
  /** What the server warns of, such as a version that will go (header `Warning`). */
  warnings?: string[];
}

export interface ApiStream {
  path: string;
  accept?: string;
  signal: AbortSignal;
  /** One JSON document of a watch, without its line end. */
  onLine: (line: string) => void;
}

/** The way to one API server: over TLS to a real one, in memory to one of the demo. */
export interface ApiConnection {
  /** An answer of any status is an answer. @throws Error where none came. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Reads a watch until the server ends it, or the signal does: then it resolves.
   * @returns the answer's status; for one other than 200 its text was given to nobody.
   * @throws Error where the connection broke.
   */
  stream(stream: ApiStream): Promise<ApiResponse>;
  /**
   * Reads bytes as the server sends them, such as a log that is followed, until the signal is given: the stream fails
   * then. Who reads slowly has the server wait.
   * @returns the answer of a server that refuses.
   * @throws Error where no answer came
   */
  open(path: string, signal: AbortSignal): Promise<Readable | ApiResponse>;
  /**
   * Opens one connection to a port of a pod. There is none where no programs run behind the API.
   * @returns the answer of a server that does not open it.
   * @throws Error where no answer came
   */
  forward?(path: string): Promise<Duplex | ApiResponse>;
}
