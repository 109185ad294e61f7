export { Answers, ErrorDto, ERROR_CODES_EXTENSION, Fails } from './answers.js';
export { errorResponses } from './error-responses.js';
export { Field, NestedField, OpenField } from './field.js';
export { validationPipe } from './validation.js';
export { AnswerSerializer } from './answer-serializer.js';
export { DeclaredInput, TakesYaml } from './declared-input.interceptor.js';
export { Optional } from './optional.js';
export { requestShape } from './request-shape.js';
export { requireUtf8, yamlBody } from './yaml-body.js';
