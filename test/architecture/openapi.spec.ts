import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import ts from 'typescript';
import { createDashboard } from '../../backend/src/apps/dashboard/create-dashboard.js';
import type { Application } from '../../backend/src/apps/http/application.js';
import { bootstrap, type BootstrappedFoundation } from '../../backend/src/apps/bootstrap.js';
import { TakenInDto } from '../../backend/src/modules/log-sources/source-change.dto.js';
import { createLogBoard } from '../../backend/src/apps/log-board/create-log-board.js';
import { validationPipe } from '../../backend/src/core/api/validation.js';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { readProject } from '../../backend/src/core/config/project.js';
import { AddRepositoryDto } from '../../backend/src/modules/addons/common/chart.dto.js';
import {
  InstallAddonDto,
  OpenAddonDto,
  RollbackAddonDto,
  UpgradeAddonDto,
} from '../../backend/src/modules/addons/common/operation.dto.js';
import { ExposeDto } from '../../backend/src/modules/expose/expose.dto.js';
import {
  AddExternalClusterDto,
  ChangeExternalClusterDto,
  PluginConsentDto,
} from '../../backend/src/modules/external-clusters/external-clusters.dto.js';
import { StartForwardDto } from '../../backend/src/modules/forwards/forwards.dto.js';
import { ConfigTextDto } from '../../backend/src/modules/clusters/config/cluster-config.dto.js';
import { CloneClusterDto } from '../../backend/src/modules/clusters/clone/clone.dto.js';
import { CreateClusterDto } from '../../backend/src/modules/clusters/creation/create-cluster.dto.js';
import { MergeKubeconfigDto } from '../../backend/src/modules/kubeconfig/kubeconfig.dto.js';
import { RecreateClusterDto } from '../../backend/src/modules/clusters/recreation/recreation.dto.js';
import { LoadImagesDto } from '../../backend/src/modules/images/common/image.dto.js';
import { PreviewAlertDto, SaveAlertDto } from '../../backend/src/modules/log-alerts/alert.dto.js';
import { SaveSearchDto } from '../../backend/src/modules/log-search/saved-search.dto.js';
import { CreateAccessTokenDto } from '../../backend/src/modules/auth/access-tokens/access-token.dto.js';
import { LinkDto, LoginDto, ViewerPasswordDto } from '../../backend/src/modules/auth/auth.dto.js';
import { PruneDto } from '../../backend/src/modules/images/common/usage.dto.js';
import { EffectsDto } from '../../backend/src/modules/resource-changes/effects/effects.dto.js';
import { ChangeImagesDto } from '../../backend/src/modules/resource-changes/image/image.dto.js';
import { ApplyDto } from '../../backend/src/modules/resource-changes/apply/apply.dto.js';
import { ScaleDto, YamlDto } from '../../backend/src/modules/resource-changes/change/change.dto.js';
import { FixRequestDto } from '../../backend/src/modules/resource-changes/fix/fix.dto.js';
import { UndoRolloutDto } from '../../backend/src/modules/resource-changes/rollout/rollout.dto.js';
import { DrainDto } from '../../backend/src/modules/resource-changes/drain/drain.dto.js';
import { WriteTextDto } from '../../backend/src/modules/files/files.dto.js';
import { RevealKeyDto } from '../../backend/src/modules/resources/object/secret.dto.js';
import { RestartPodDto } from '../../backend/src/modules/resource-changes/pods/pod-restart.dto.js';
import { resolveResponses } from '../support/app/resolve-responses.js';

interface Operation {
  summary?: string;
  tags?: string[];
  requestBody?: {
    content: Record<string, { schema?: { $ref?: string }; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<
    string,
    { description?: string; content?: Record<string, { schema?: object; examples?: object }> }
  >;
}

/** Classes of the bodies that requests have. */
const BODIES = [
  AddExternalClusterDto,
  ChangeExternalClusterDto,
  PluginConsentDto,
  AddRepositoryDto,
  ApplyDto,
  ChangeImagesDto,
  CloneClusterDto,
  ConfigTextDto,
  CreateAccessTokenDto,
  CreateClusterDto,
  DrainDto,
  EffectsDto,
  ExposeDto,
  InstallAddonDto,
  LinkDto,
  LoadImagesDto,
  LoginDto,
  MergeKubeconfigDto,
  OpenAddonDto,
  PruneDto,
  RecreateClusterDto,
  RestartPodDto,
  RevealKeyDto,
  RollbackAddonDto,
  PreviewAlertDto,
  SaveAlertDto,
  SaveSearchDto,
  ScaleDto,
  StartForwardDto,
  TakenInDto,
  FixRequestDto,
  UndoRolloutDto,
  UpgradeAddonDto,
  ViewerPasswordDto,
  WriteTextDto,
  YamlDto,
];

/** Of each application, with how much its document holds at the least, so that an empty one proves nothing. */
const DOCUMENTS = [
  {
    name: 'dashboard',
    create: createDashboard,
    file: 'openapi.json',
    kilobytes: 440,
    least: { operations: 40, references: 20, bodies: 7 },
    // A whole kind config: the examples of the request bodies hold one.
    withoutExample: ['CreateClusterDto.config'],
  },
  {
    name: 'log-board',
    create: createLogBoard,
    file: 'openapi.log-board.json',
    kilobytes: 125,
    least: { operations: 17, references: 20, bodies: 5 },
    withoutExample: [],
  },
] as const;

describe.each(DOCUMENTS)(
  'the API document of the $name',
  ({ name, create, file, kilobytes, least, withoutExample }) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-architecture-'));
    let foundation: BootstrappedFoundation;
    let application: Application;
    let document: OpenAPIObject;
    let operations: [string, Operation][];

    beforeAll(async () => {
      foundation = await bootstrap(
        readConfiguration({ APP_RUNTIME: 'demo', APP_DATA_DIR: folder, APP_LOG_LEVEL: 'error' }),
        { applications: [name] },
      );
      application = await create(foundation);
      document = application.apiDocument();
      operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]): [string, Operation] => [
          `${method} ${path}`,
          { ...(operation as Operation), responses: resolveResponses(document, operation as Operation) },
        ]),
      );
    });

    afterEach(() => {
      jest.useRealTimers();
    });

    afterAll(async () => {
      await application.app.close();
      foundation.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('is the committed one (after a change: npm run openapi)', () => {
      const committed = JSON.parse(readFileSync(join(readProject().root, file), 'utf8')) as object;
      expect(JSON.parse(JSON.stringify(document))).toEqual(committed);
    });

    it(`has at most ${kilobytes} kB`, () => {
      expect(statSync(join(readProject().root, file)).size).toBeLessThanOrEqual(kilobytes * 1000);
    });

    it('compiles as a client of a public generator', async () => {
      const output = join(folder, 'client');
      const { root } = readProject();
      const generator = join(root, 'node_modules', '.bin', 'openapi-ts');
      // It empties its output folder, which is its working directory by default.
      await promisify(execFile)(generator, ['-i', join(root, file), '-o', output], { cwd: folder });
      const program = ts.createProgram([join(output, 'index.ts')], {
        target: ts.ScriptTarget.ES2024,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        types: [],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      });
      const problems = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
      expect(program.getSourceFiles().length).toBeGreaterThan(5);
      expect(problems).toEqual([]);
    });

    it('refers to nothing that it does not hold', () => {
      const text = JSON.stringify(document);
      const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]*)"/g)];
      expect(references.length).toBeGreaterThanOrEqual(least.references);
      const components = document.components as Record<string, Record<string, unknown>>;
      const dangling = references.filter(([, kind = '', name = '']) => !(name in (components[kind] ?? {})));
      expect(dangling.map(([reference]) => reference)).toEqual([]);
    });

    it('gives every operation a summary, a tag and described answers', () => {
      const lacking = operations
        .filter(
          ([, { summary, tags, responses }]) =>
            !summary || !tags?.length || Object.values(responses).some(({ description }) => !description),
        )
        .map(([name]) => name);
      expect(operations.length).toBeGreaterThanOrEqual(least.operations);
      expect(lacking).toEqual([]);
    });

    it('describes a response of every operation, and its errors with examples', () => {
      const lacking = operations.flatMap(([name, { responses }]) =>
        Object.entries(responses)
          .filter(([status, { content }]) => {
            // No Content.
            if (status === '204') return false;
            if (Number(status) < 400) return !content;
            const json = content?.['application/json'];
            return !json?.examples || !JSON.stringify(json.schema).includes('ErrorDto');
          })
          .map(([status]) => `${name} ${status}`),
      );
      expect(lacking).toEqual([]);
      const withoutErrors = operations.filter(
        ([, { responses }]) => !Object.keys(responses).some((status) => Number(status) >= 400),
      );
      expect(withoutErrors).toEqual([]);
    });

    it('gives each field of each record an example, or a set of values that says as much', () => {
      interface Property {
        example?: unknown;
        enum?: unknown;
        default?: unknown;
        type?: string;
        $ref?: string;
        allOf?: unknown;
        oneOf?: unknown;
        additionalProperties?: unknown;
        description?: string;
      }
      const lacking = Object.entries(document.components?.schemas ?? {}).flatMap(([schema, definition]) =>
        Object.entries((definition as { properties?: Record<string, Property> }).properties ?? {})
          .filter(([, property]) => {
            const speaksForItself =
              property.enum ??
              property.$ref ??
              property.allOf ??
              property.oneOf ??
              property.additionalProperties;
            if (speaksForItself !== undefined || property.type === 'array' || property.type === 'boolean') {
              return false;
            }
            return property.example === undefined && property.default === undefined;
          })
          .map(([property]) => `${schema}.${property}`),
      );
      expect(lacking).toEqual(withoutExample);
    });

    it('shows request bodies that the server takes', async () => {
      const pipe = validationPipe();
      const bodies = operations.flatMap(([name, { requestBody }]) => {
        const json = requestBody?.content['application/json'];
        if (!json) return [];
        if (!json.examples) throw new Error(`${name} has a body without an example`);
        const metatype = BODIES.find((type) => json.schema?.$ref?.endsWith(`/${type.name}`));
        if (!metatype) throw new Error(`${name} has a body of a class that this test does not know`);
        return Object.values(json.examples).map(({ value }) => ({ value, metatype }));
      });
      expect(bodies.length).toBeGreaterThanOrEqual(least.bodies);
      // The day on which all examples are written, and until which an access token could not be valid forever.
      jest.useFakeTimers({
        now: Date.parse('2026-11-22T08:00:00Z'),
        doNotFake: ['nextTick', 'queueMicrotask'],
      });
      for (const { value, metatype } of bodies) {
        await expect(pipe.transform(value, { type: 'body', metatype })).resolves.toBeInstanceOf(metatype);
      }
    });
  },
);
