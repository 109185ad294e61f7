import { Matches } from 'class-validator';
import {
  Field,
  NestedField,
  NullableField,
  OptionalText,
  QueryFlag,
  RuntimeQueryDto,
  Text,
} from '../../core/api/index.js';
import { NAMESPACE_NAME } from '../../core/security/index.js';

/** Bytes of a text file that is opened in the editor. */
export const MAX_TEXT = 1_000_000;
const MAX_PATH = 4000;
/** Absolute, without empty parts, `.` and `..`, NUL and a slash at the end. */
const PATH = /^(\/|(\/(?!\.{1,2}(\/|$))[^/\0]+)+)$/;
const TYPES = ['file', 'directory', 'link', 'other'] as const;
const TARGETS = ['file', 'directory', 'link', 'other', 'missing'] as const;

export class FileQueryDto extends RuntimeQueryDto {
  @Text({ description: 'Name of a running container of the pod', example: 'web' })
  @Matches(NAMESPACE_NAME, { message: 'must be a container name' })
  container!: string;

  @Text({
    description: 'Absolute path in the container',
    maxLength: MAX_PATH,
    example: '/etc/nginx/nginx.conf',
  })
  @Matches(PATH, { message: 'must be an absolute path without . and .., such as /etc/hosts' })
  path!: string;
}

export class UploadQueryDto extends FileQueryDto {
  @QueryFlag({ description: 'Replace an existing file' })
  replace: boolean = false;
}

export class WriteTextDto {
  @Text({ maxLength: MAX_TEXT, example: 'worker_processes 2;\n' })
  text!: string;

  @OptionalText({
    description:
      'The `version` of the text that was edited. If the file has another one now, nothing is written.',
    maxLength: 64,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  version?: string;
}

export class FileEntryDto {
  @Field({
    description: 'A byte that is not UTF-8 is shown as `\\xFF`, also in a path that opens the file',
    example: 'nginx.conf',
  })
  name!: string;

  @Field({ type: String, enum: TYPES, example: 'file' })
  type!: (typeof TYPES)[number];

  @NullableField(String, {
    enum: TARGETS,
    description: 'What a link points to; null if it is not a link',
    example: null,
  })
  target!: (typeof TARGETS)[number] | null;

  @Field({ description: 'Bytes', example: 648 })
  size!: number;

  @Field({ description: 'Permissions, octal', example: '0644' })
  mode!: string;

  @Field({ example: '2026-11-21T09:37:02.000Z' })
  modified_at!: string;
}

export class FileListDto {
  @Field({ example: '/etc/nginx' })
  path!: string;

  @NestedField(() => FileEntryDto, { isArray: true, description: 'Directories first, then by name' })
  entries!: FileEntryDto[];

  @Field({ description: 'Number of entries beyond the limit of 5,000', example: 0 })
  omitted!: number;
}

export class TextFileDto {
  @Field({ example: '/etc/nginx/nginx.conf' })
  path!: string;

  @Field({ example: 'worker_processes 1;\n' })
  text!: string;

  @Field({
    description: 'SHA-256 of the content, in hex',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  version!: string;
}

export class FileWrittenDto {
  @Field({ example: '/etc/nginx/nginx.conf' })
  path!: string;

  @Field({ description: 'Bytes', example: 648 })
  size!: number;

  @Field({
    description: 'SHA-256 of the content, in hex',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  version!: string;
}
