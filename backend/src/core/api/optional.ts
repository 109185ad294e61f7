import { ValidateIf } from 'class-validator';

/**
 * A field that can be omitted. Unlike class-validator's own `IsOptional`, it does not accept `null`: services take
 * `undefined` for "not given", and a null would reach them unchecked.
 */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
