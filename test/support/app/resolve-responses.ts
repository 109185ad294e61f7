import type { OpenAPIObject } from '@nestjs/swagger';

const SHARED = '#/components/responses/';

/** The responses of an operation by status, with those that it shares with others in full. */
export function resolveResponses<Response extends object>(
  { components }: OpenAPIObject,
  operation: { responses: object },
): Record<string, Response> {
  const responses = Object.entries(operation.responses as Record<string, Response & { $ref?: string }>);
  return Object.fromEntries(
    responses.map(([status, response]) => {
      if (!response.$ref?.startsWith(SHARED)) return [status, response];
      const shared = components?.responses?.[response.$ref.slice(SHARED.length)];
      if (!shared) throw new Error(`the API document has no ${response.$ref}`);
      return [status, shared as Response];
    }),
  );
}
