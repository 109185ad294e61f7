export { Returns, ErrorDto, ERROR_CODES_EXTENSION, Fails } from './responses.js';
export { ApiClusterName, clusterName, RuntimeQueryDto } from './cluster-parameters.js';
export { errorResponses } from './error-responses.js';
export { Field, NestedField, NullableField, OpenField } from './field.js';
export {
  Flag,
  Integer,
  OptionalInteger,
  OptionalText,
  QueryFlag,
  QueryInteger,
  QueryTime,
  Text,
  toUtc,
} from './input.js';
export { validationPipe } from './validation.js';
export { ResponseSerializer } from './response-serializer.js';
export { DeclaredInput, AcceptsYaml } from './declared-input.interceptor.js';
export { Optional } from './optional.js';
export { recordId } from './record-id.js';
export { requestShape } from './request-shape.js';
export { fileTimestamp, sendFile, type FileFailure } from './send-file.js';
export { abortOnDisconnect } from './abort-on-disconnect.js';
export { MAX_BUFFERED, sendMessage } from './send-message.js';
export { requireUtf8, yamlBody } from './yaml-body.js';
