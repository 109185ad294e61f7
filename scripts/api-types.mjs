import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';

/** The documents of the applications, by the names of the files with their types. */
const DOCUMENTS = { dashboard: 'openapi.json', 'log-board': 'openapi.log-board.json' };
const FOLDER = join(root, '.cache', 'api');
const GENERATOR = join(root, 'node_modules', '@hey-api', 'openapi-ts', 'package.json');

/**
 * Generates the types of the API that pages and command line use, unless the documents are unchanged. Only checks of types
 * need them: without the dependencies for development, nothing is generated.
 */
export async function ensureApiTypes() {
  if (!existsSync(GENERATOR)) return;
  for (const [name, file] of Object.entries(DOCUMENTS)) {
    const text = readFileSync(join(root, file), 'utf8');
    const hash = createHash('sha256');
    for (const input of [text, readFileSync(GENERATOR), readFileSync(import.meta.filename)])
      hash.update(input);
    const stamp = `// ${hash.digest('hex')}\n`;
    const result = join(FOLDER, `${name}.d.ts`);
    if (existsSync(result) && readFileSync(result, 'utf8').startsWith(stamp)) continue;
    const written = `${result}.${process.pid}`;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(written, stamp + (await generate(JSON.parse(text))));
    // Checks that run side by side may generate at once.
    renameSync(written, result);
  }
}

async function generate(document) {
  const operations = operationsOf(document);
  for (const { operation } of operations) keepTyped(operation);
  const output = join(FOLDER, `generated-${process.pid}`);
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: document,
    output: { path: output, indexFile: false },
    // One type for requests and responses, as in the backend.
    parser: { transforms: { readWrite: { enabled: false } } },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  });
  const types = readFileSync(join(output, 'types.gen.ts'), 'utf8');
  rmSync(output, { recursive: true });
  return types + renderOperations(operations, types);
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      name: operation.operationId.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase()),
      operation,
    })),
  );
}

/** Leaves successful responses and, if there is JSON, only JSON: each operation then has one type of body and response. */
function keepTyped(operation) {
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).filter(([status]) => Number(status) < 300),
  );
  for (const part of [operation.requestBody, ...Object.values(operation.responses)]) {
    const json = part?.content?.['application/json'];
    if (json) part.content = { 'application/json': json };
  }
}

function renderOperations(operations, types) {
  const found = (type) => {
    if (types.includes(`export type ${type} = `)) return type;
    throw new Error(`@hey-api/openapi-ts did not write the type ${type}.`);
  };
  const rows = operations.map(({ route, name, operation }) => {
    const { parameters = [], requestBody } = operation;
    const data = found(`${name}Data`);
    // In a path, numbers are text.
    const path = parameters.filter((one) => one.in === 'path').map((one) => `${one.name}: string | number`);
    const query = parameters.some((one) => one.in === 'query') ? `NonNullable<${data}['query']>` : 'object';
    const params = path.length > 0 ? `{ ${path.join('; ')} } & ${query}` : query;
    const body = requestBody ? `${data}['body']` : 'undefined';
    return `  '${route}': { params: ${params}; body: ${body}; response: ${found(`${name}Response`)} };\n`;
  });
  return `\n/** Parameters, body and response of each route. */\nexport interface Operations {\n${rows.join('')}}\n`;
}

if (process.argv[1]?.endsWith('scripts/api-types.mjs')) await ensureApiTypes();
