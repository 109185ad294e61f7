import { ValidateIf } from 'class-validator';

/**
 * A field that may be left out. Unlike class-validator's own `IsOptional`, it does not let `null` through:
 * services tell "not given" by `undefined`, and a null would reach them unchecked.
 */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
