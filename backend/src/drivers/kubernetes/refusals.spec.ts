import { describe, expect, it } from '@jest/globals';
import { PreparedConnection } from '../../../../test/support/prepared-connection.js';
import { ConnectionResources } from './connection-resources.js';
import type { KubernetesObject } from './object-fields.js';
import type { ResourceReference } from './resource-api.js';

interface Cause {
  reason: string;
  message: string;
  field: string;
}

/** A Status response of an API server of Kubernetes 1.34. */
interface RecordedStatus {
  status: number;
  kind: 'Status';
  apiVersion: 'v1';
  message: string;
  reason: string;
  details: { name?: string; kind?: string; causes?: Cause[] };
  code: number;
}

function recorded(
  code: number,
  reason: string,
  message: string,
  details: RecordedStatus['details'],
): RecordedStatus {
  return { status: code, kind: 'Status', apiVersion: 'v1', message, reason, details, code };
}

async function applied(
  plural: string,
  kind: string,
  response: RecordedStatus,
): Promise<{ code: string; message: string; details?: unknown; stack?: string }> {
  const reference: ResourceReference = { group: '', version: 'v1', plural, namespace: 'shop', name: 'x' };
  const path = `PATCH /api/v1/namespaces/shop/${plural}/x?fieldManager=slipway`;
  const api = new ConnectionResources('demo', new PreparedConnection({ [path]: response }));
  const object: KubernetesObject = { apiVersion: 'v1', kind, metadata: { name: 'x', namespace: 'shop' } };
  return await api.apply(reference, object).then(
    () => {
      throw new Error('the object was applied');
    },
    (error: unknown) => error as { code: string; message: string },
  );
}

describe('ConnectionResources.apply', () => {
  it('names the manager and the field of a server-side apply conflict', async () => {
    const conflict = recorded(
      409,
      'Conflict',
      'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.a',
      {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "kubectl-edit" using v1',
            field: '.data.a',
          },
        ],
      },
    );
    const error = await applied('configmaps', 'ConfigMap', conflict);
    expect(error).toMatchObject({
      code: 'resource_conflict',
      details: { conflicts: [{ manager: 'kubectl-edit', field: '.data.a' }] },
    });
    expect(error.message).toContain('.data.a (kubectl-edit)');
  });

  it('takes over fields that Slipway itself has changed, such as by scaling', async () => {
    const message = 'conflict with "slipway" with subresource "scale" using apps/v1';
    const conflict = recorded(409, 'Conflict', `Apply failed with 1 conflict: ${message}`, {
      causes: [{ reason: 'FieldManagerConflict', message, field: '.spec.replicas' }],
    });
    const path = 'PATCH /apis/apps/v1/namespaces/shop/deployments/x?fieldManager=slipway';
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', namespace: 'shop' } };
    const connection = new PreparedConnection({ [path]: conflict, [`${path}&force=true`]: object });
    const api = new ConnectionResources('demo', connection);
    const reference = { group: 'apps', version: 'v1', plural: 'deployments', namespace: 'shop', name: 'x' };
    expect(await api.apply(reference, object)).toMatchObject({ object });
  });

  it('reports each field that fails validation', async () => {
    const problem = 'Invalid value: 99999: must be between 1 and 65535, inclusive';
    const field = 'spec.ports[0].port';
    const invalid = recorded(422, 'Invalid', `Service "x" is invalid: ${field}: ${problem}`, {
      name: 'x',
      kind: 'Service',
      causes: [{ reason: 'FieldValueInvalid', message: problem, field }],
    });
    const error = await applied('services', 'Service', invalid);
    expect(error).toMatchObject({ code: 'resource_refused', details: [{ field, problem }] });
    expect(error.message).toContain(field);
  });

  it.each([
    [
      'data that is not Base64',
      recorded(
        400,
        'BadRequest',
        'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3: canary',
        {},
      ),
    ],
    [
      'a value of the wrong type',
      recorded(
        500,
        'InternalError',
        'failed to create typed patch object (shop/x; /v1, Kind=Secret): .stringData.token: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"canary":1}}',
        {},
      ),
    ],
    [
      'an invalid Docker config',
      recorded(422, 'Invalid', 'Secret "x" is invalid: data[.dockerconfigjson]: Invalid value: "canary"', {
        name: 'x',
        kind: 'Secret',
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: "canary": invalid character',
            field: 'data[.dockerconfigjson]',
          },
        ],
      }),
    ],
  ])('does not quote the value of a Secret for %s', async (_what, response) => {
    const error = await applied('secrets', 'Secret', response);
    expect(error.code).toBe('resource_refused');
    expect(`${error.message} ${JSON.stringify(error.details)} ${error.stack}`).not.toContain('canary');
  });
});
