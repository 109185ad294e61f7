export { LogSearchModule } from './log-search.module.js';
export { RegexLimit } from './regex-limit.js';
export { StoredLinesModule } from './stored-lines.module.js';
export { MAX_NAME, PRINTABLE, trimmed } from './saved-search.dto.js';
