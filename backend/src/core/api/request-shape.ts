import type { NextFunction, Request, Response } from 'express';
import { invalidInput, type FieldProblem } from '../errors/index.js';

/** Deepest body that any route takes, with room to spare: a list of objects within a field. */
const MAX_DEPTH = 8;
/** The largest request that means anything: fifty port mappings and twenty mounts. */
const MAX_VALUES = 1000;

/**
 * Names that mean something to JavaScript itself. The validator passes over them in silence instead of
 * refusing them like any other unknown field.
 */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Refuses, before anything walks through it, a body or query that is not worth walking through: one that
 * nests so deeply that recursion ends the walk, that is far larger than any request, or that names what
 * belongs to the language.
 */
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
