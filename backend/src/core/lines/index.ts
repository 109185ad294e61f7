export type { FieldValue } from './field-value.js';
export { fieldsOf, hasField } from './line-fields.js';
export { ObjectReader, objectStart } from './line-object.js';
export { partsOf } from './message.js';
export { mayHaveRequest, REQUEST_FIELDS } from './request-fields.js';
