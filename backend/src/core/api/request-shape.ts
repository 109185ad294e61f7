import type { NextFunction, Request, Response } from 'express';
import { invalidInput, type FieldProblem } from '../errors/index.js';

/** Deeper than the body of any route, which is a list of objects within a field. */
const MAX_DEPTH = 8;
/** More than the largest useful request: fifty port mappings and twenty mounts. */
const MAX_VALUES = 1000;

/** Names with a meaning in JavaScript, which the validator ignores instead of rejecting them. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Rejects a body or query that nests too deeply, is too large or has a reserved name, before code recurses into it. */
export function requestShape(request: Request, _response: Response, next: NextFunction): void {
  const problems = [...findHazards(request.query), ...findHazards(request.body)];
  if (problems.length > 0) throw invalidInput(problems.slice(0, 20));
  next();
}

function findHazards(root: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  let values = 0;
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const { value, path, depth } = entry;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) {
      problems.push({ field: path, problem: `nests deeper than ${MAX_DEPTH} levels` });
      continue;
    }
    const entries = Object.entries(value);
    values += entries.length;
    if (values > MAX_VALUES) return [{ field: path, problem: `holds more than ${MAX_VALUES} values` }];
    for (const [key, child] of entries) {
      const field = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      if (RESERVED.has(key)) problems.push({ field, problem: 'is not a field of this request' });
      else waiting.push({ value: child, path: field.slice(0, 100), depth: depth + 1 });
    }
  }
  return problems;
}
