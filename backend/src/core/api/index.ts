export { Answers, ErrorDto, Fails } from './answers.js';
export { Field, NestedField, OpenField } from './field.js';
export { validationPipe } from './validation.js';
