export type { FileEntryDto, FileListDto, FileWrittenDto, TextFileDto } from './files.dto.js';
export { FilesModule } from './files.module.js';
