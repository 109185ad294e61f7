import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { ApiClient } from '../client/api-client.js';
import { failureOf, resultOf, type Output } from './output.js';

/** The part of the API that cannot change anything: read tools get no other. */
export type ReadApi = Pick<ApiClient, 'get' | 'text'>;

/** The applications. Each use finds the server again, so that it may start or restart while the client runs. */
interface Servers<TApi> {
  readonly dashboard: TApi;
  readonly logBoard: TApi;
}

/** The request of a write tool. */
export interface WriteCall {
  readonly api: ApiClient;
  /** Aborted when the client cancels the request or ends. */
  readonly signal: AbortSignal;
  readonly isConnected: () => boolean;
  readonly report: (percent: number, step: string) => Promise<void>;
}

interface Definition<TInput extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: TInput;
}

interface ReadDefinition<TInput extends z.ZodRawShape> extends Definition<TInput> {
  run: (input: z.output<z.ZodObject<TInput>>, servers: Servers<ReadApi>) => Promise<Output>;
}

interface WriteDefinition<TInput extends z.ZodRawShape> extends Definition<TInput> {
  destructive: boolean;
  idempotent: boolean;
  run: (input: z.output<z.ZodObject<TInput>>, call: WriteCall) => Promise<Output>;
}

/** A tool that can be offered to a client. */
export interface Tool {
  isWrite: boolean;
  register: (server: McpServer, servers: Servers<ApiClient>) => void;
}

export function readTool<TInput extends z.ZodRawShape>(tool: ReadDefinition<TInput>): Tool {
  return {
    isWrite: false,
    register: (server, servers) => {
      const readable = readOnly(servers);
      const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
      server.registerTool(tool.name, configOf(tool, annotations), async (input) => {
        return await answer(async () => await tool.run(input as z.output<z.ZodObject<TInput>>, readable));
      });
    },
  };
}

export function writeTool<TInput extends z.ZodRawShape>(tool: WriteDefinition<TInput>): Tool {
  return {
    isWrite: true,
    register: (server, servers) => {
      const { destructive, idempotent } = tool;
      const annotations = { readOnlyHint: false, destructiveHint: destructive, idempotentHint: idempotent };
      server.registerTool(tool.name, configOf(tool, annotations), async (input, extra) => {
        const progressToken = extra._meta?.progressToken;
        return await answer(async () => {
          const call: WriteCall = {
            api: servers.dashboard,
            signal: extra.signal,
            isConnected: () => server.isConnected(),
            report: async (progress, message) => {
              if (progressToken === undefined) return;
              const params = { progressToken, progress, total: 100, message };
              await extra.sendNotification({ method: 'notifications/progress', params });
            },
          };
          return await tool.run(input as z.output<z.ZodObject<TInput>>, call);
        });
      });
    },
  };
}

type Answer = ReturnType<typeof resultOf>;

async function answer(run: () => Promise<Output>): Promise<Answer> {
  try {
    return resultOf(await run());
  } catch (error) {
    return failureOf(error);
  }
}

interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
}

interface Config {
  title: string;
  description: string;
  inputSchema: z.ZodType;
  annotations: Annotations & { openWorldHint: boolean };
}

function configOf({ title, description, input }: Definition<z.ZodRawShape>, hints: Annotations): Config {
  // The other side is the clusters of this Slipway, not the internet.
  return {
    title,
    description,
    inputSchema: z.strictObject(input),
    annotations: { ...hints, openWorldHint: false },
  };
}

function readOnly(servers: Servers<ApiClient>): Servers<ReadApi> {
  return {
    get dashboard() {
      return readApi(servers.dashboard);
    },
    get logBoard() {
      return readApi(servers.logBoard);
    },
  };
}

function readApi(api: ApiClient): ReadApi {
  return {
    get: async (path, ...given) => await api.get(path, ...given),
    text: async (path, ...given) => await api.text(path, ...given),
  };
}
