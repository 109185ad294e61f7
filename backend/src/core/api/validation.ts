import { ValidationPipe, type ValidationError } from '@nestjs/common';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import { invalidInput, type FieldProblem } from '../errors/index.js';
import { shortened } from '../values/index.js';

/** Checks every body and query against its class, rejects unknown fields, and reports all problems together. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    // The copies that the request classes are declared with; Nest would load its own.
    validatorPackage,
    transformerPackage,
    transform: true,
    // Otherwise an omitted field of a class that is also a response would lose its default.
    transformOptions: { exposeDefaultValues: true },
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    exceptionFactory: (errors) => invalidInput(errors.flatMap((error) => toProblems(error, ''))),
  });
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
