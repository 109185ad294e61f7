import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { ClusterKey } from '../clusters/index.js';
import { JournalService, type NewJournalEntry } from '../journal/index.js';
import { ClusterResources } from '../resources/index.js';
import { ContainerFiles, type Container } from './container-files.js';
import { FileReads } from './file-reads.js';
import { readListing } from './file-listing.js';
import { MAX_TEXT, type FileListDto, type FileWrittenDto, type TextFileDto } from './files.dto.js';

/** Bytes of an uploaded file. */
const MAX_UPLOAD = 2_000_000_000;

export interface FileAddress {
  cluster: string;
  runtime: string | undefined;
  namespace: string;
  pod: string;
  container: string;
  /** Absolute, in the container. */
  path: string;
}

/** Reads of a path, and listings of a container, share an entry for this time. */
const READ_MS = 60_000;
const LIST_MS = 3_600_000;

type FileAccess = 'file-list' | 'file-read' | 'file-download' | 'file-upload' | 'file-edit';

@Injectable()
export class FilesService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly files: ContainerFiles,
    private readonly journal: JournalService,
    private readonly reads: FileReads,
  ) {}

  /** @throws DomainError as `ContainerFiles.list`, and what opening a cluster throws */
  async list(of: FileAddress, signal: AbortSignal): Promise<FileListDto> {
    const { container, cluster } = await this.open(of, signal);
    const message = `Listed directories of container ${of.container} in pod ${of.namespace}/${of.pod}, first ${inSentence(of.path)}.`;
    this.reads.record(keyOf(of, cluster), LIST_MS, entryOf('file-list', of, cluster, message));
    return { path: of.path, ...readListing(await this.files.list(container, of.path)) };
  }

  /** @throws as `list`, and DomainError `file_refused` for a file that is too large or not text */
  async readText(of: FileAddress, signal: AbortSignal): Promise<TextFileDto> {
    const { container, cluster } = await this.open(of, signal);
    const entry = entryOf('file-read', of, cluster, `Read ${describe(of)}.`);
    this.reads.record([...keyOf(of, cluster), of.path], READ_MS, entry);
    const content = await this.files.head(container, of.path, MAX_TEXT + 1);
    if (content.length > MAX_TEXT) {
      throw new DomainError('file_refused', `${of.path} is larger than 1 MB. Download it instead.`);
    }
    return { path: of.path, text: textOf(content, of.path), version: hash('sha256', content) };
  }

  /** Writes a text file. @throws as `list`, and DomainError `resource_conflict` if it has changed since `version` */
  async writeText(
    of: FileAddress,
    text: string,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<FileWrittenDto> {
    const { container, cluster } = await this.open(of, signal);
    if (version !== undefined) {
      const now = await this.files.head(container, of.path, MAX_TEXT + 1);
      if (hash('sha256', now) !== version) {
        throw new DomainError(
          'resource_conflict',
          `${of.path} has changed since you opened it. Your text was not written: copy it, and open the file again.`,
        );
      }
    }
    const content = Buffer.from(text);
    const target = { path: of.path, size: content.length, replace: true };
    await this.files.write(container, target, once(content));
    this.record('file-edit', of, cluster, `Edited ${describe(of)}.`);
    return { path: of.path, size: content.length, version: hash('sha256', content) };
  }

  /**
   * Opens a download: the bytes of a file, or a directory as a tar archive.
   * @throws as `list`; later errors come from `content`
   */
  async download(
    of: FileAddress,
    signal: AbortSignal,
  ): Promise<{ name: string; content: AsyncIterable<Buffer> }> {
    if (of.path === '/') throw new DomainError('file_refused', 'Choose a directory in / to download.');
    const { container, cluster } = await this.open(of, signal);
    const entry = entryOf('file-download', of, cluster, `Downloaded ${describe(of)}.`);
    this.reads.record([...keyOf(of, cluster), of.path], READ_MS, entry);
    const isDirectory = await this.files.isDirectory(container, of.path);
    const name = of.path.slice(of.path.lastIndexOf('/') + 1);
    return {
      name: isDirectory ? `${name}.tar` : name,
      content: this.files.read(container, of.path, isDirectory),
    };
  }

  /**
   * @param size of the source in bytes, which must be right
   * @throws as `list`, and DomainError `file_exists`, `payload_too_large`
   */
  async upload(
    of: FileAddress,
    { size, replace }: { size: number; replace: boolean },
    source: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<FileWrittenDto> {
    if (of.path === '/') throw new DomainError('file_refused', 'Add the name of the file to the path.');
    if (size > MAX_UPLOAD) {
      throw new DomainError(
        'payload_too_large',
        'A file may have at most 2 GB. Use kubectl cp for larger ones.',
      );
    }
    const { container, cluster } = await this.open(of, signal);
    const digest = createHash('sha256');
    await this.files.write(container, { path: of.path, size, replace }, hashed(source, digest));
    this.record('file-upload', of, cluster, `Uploaded ${describe(of)}.`);
    return { path: of.path, size, version: digest.digest('hex') };
  }

  private async open(
    { cluster: name, runtime, namespace, pod, container }: FileAddress,
    signal: AbortSignal,
  ): Promise<{ container: Container; cluster: ClusterKey }> {
    const { api, cluster } = await this.resources.open(name, runtime);
    return { container: { api, pod: { namespace, name: pod }, container, cluster: name, signal }, cluster };
  }

  private record(kind: FileAccess, of: FileAddress, cluster: ClusterKey, message: string): void {
    this.journal.recordEventually(entryOf(kind, of, cluster, message));
  }
}

function entryOf(
  kind: FileAccess,
  { namespace, pod }: FileAddress,
  { name: cluster, runtime }: ClusterKey,
  message: string,
): NewJournalEntry {
  return { kind, cluster, runtime, subject: `pods/${namespace}/${pod}`, message };
}

function keyOf({ namespace, pod, container }: FileAddress, { name, runtime }: ClusterKey): string[] {
  return [runtime, name, namespace, pod, container];
}

function describe({ namespace, pod, container, path }: FileAddress): string {
  return `${inSentence(path)} of container ${container} in pod ${namespace}/${pod}`;
}

/** Names of files can have line breaks. */
function inSentence(path: string): string {
  return path.replace(/\p{Cc}/gu, encodeURIComponent);
}

/** @throws DomainError `file_refused` */
function textOf(content: Buffer, path: string): string {
  const isText = isUtf8(content) && !content.includes(0);
  if (isText) return content.toString('utf8');
  throw new DomainError('file_refused', `${path} is not a text file. Download it instead.`);
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content);
}

async function* hashed(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
