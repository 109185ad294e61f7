export type { FileListDto, FileWrittenDto, TextFileDto } from './files.dto.js';
export { FilesModule } from './files.module.js';
