import { ValidationPipe, type ArgumentMetadata, type Type, type ValidationError } from '@nestjs/common';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import { invalidInput, type FieldProblem } from '../errors/index.js';
import { shortened } from '../values/index.js';

/** Checks every body and query against its class, rejects unknown fields, and reports all problems together. */
export function validationPipe(): ValidationPipe {
  return new QueryAwarePipe({
    // The copies that the request classes are declared with; Nest would load its own.
    validatorPackage,
    transformerPackage,
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    exceptionFactory: (errors) => invalidInput(errors.flatMap((error) => toProblems(error, ''))),
  });
}

/** Most requests have no query. Checking that again each time took longer than all else of a small response. */
class QueryAwarePipe extends ValidationPipe {
  private readonly optional = new Set<Type<object>>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as Type<object> | undefined;
    const isEmpty = metadata.type === 'query' && metadata.data === undefined && isEmptyObject(value);
    if (!isEmpty || !type) return await super.transform(value, metadata);
    if (this.optional.has(type)) return new type();
    const query: unknown = await super.transform(value, metadata);
    this.optional.add(type);
    return query;
  }
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function toProblems({ property, constraints, children }: ValidationError, parent: string): FieldProblem[] {
  const field =
    parent === '' ? property : /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
  // The name of an unknown field comes from the client.
  const shown = shortened(field, 100);
  const nested = (children ?? []).flatMap((child) => toProblems(child, field));
  if (!constraints) return nested;
  if (constraints['whitelistValidation']) {
    return [{ field: shown, problem: 'is not a field of this request' }, ...nested];
  }
  // Only the most basic problem: a value of the wrong type fails every other rule too.
  const messages = Object.entries(constraints).sort(([one], [other]) => rank(one) - rank(other));
  const problem = messages[0]?.[1] ?? 'is invalid';
  return nested.length > 0 ? nested : [{ field: shown, problem }];
}

function rank(constraint: string): number {
  if (/^is(String|Int|Array|Boolean|Object)$/.test(constraint)) return 0;
  return constraint === 'nestedValidation' ? 2 : 1;
}
