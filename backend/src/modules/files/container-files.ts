import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Slots } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { isAborted } from '../../core/threads/index.js';
import type { PodName, ResourceApi } from '../../drivers/kubernetes/index.js';
import type { RunningProgram } from '../../drivers/runtime/index.js';
import { endOfSession, endProgram, readPid } from '../shells/index.js';
import { FileProgram } from './file-program.js';
import { EXIT, fileProgram } from './file-programs.js';

/** Programs that run at once. Each has a process in a container. */
const LIMITS = { total: 32, perCluster: 16 };
const ANSWER_MS = 15_000;
const MAX_LISTING = 3_000_000;
/** After the last byte, a program only moves the file. */
const WRITTEN_MS = 15_000;
/** GNU tar ends with it if a file changes while it is read. */
const TAR_WARNING = 1;

export interface Container {
  api: ResourceApi;
  pod: PodName;
  container: string;
  cluster: string;
  /** Ends its programs, since their client is gone. */
  signal: AbortSignal;
}

/** Runs the programs that read and write files of a container. */
@Injectable()
export class ContainerFiles {
  private readonly slots = new Slots('files of containers', LIMITS);

  /** @throws DomainError `file_not_found`, `file_refused`, `file_tools_missing`, `too_many_requests` */
  async list(of: Container, path: string): Promise<Buffer> {
    return await this.outputOf(of, path, fileProgram.list(path), MAX_LISTING);
  }

  /** The first bytes of a file. @throws as `list` */
  async head(of: Container, path: string, bytes: number): Promise<Buffer> {
    return await this.outputOf(of, path, fileProgram.head(path, bytes), bytes);
  }

  /** @throws as `list` */
  async isDirectory(of: Container, path: string): Promise<boolean> {
    const kind = await this.outputOf(of, path, fileProgram.kind(path), 10);
    return kind.toString('utf8').trim() === 'directory';
  }

  /** The content of a file, or a directory as a tar archive. Fails if it is not complete. @throws as `list` */
  async *read(of: Container, path: string, isDirectory: boolean): AsyncGenerator<Buffer> {
    const command = isDirectory ? fileProgram.pack(path) : fileProgram.content(path);
    const { program, file } = await this.start(of, path, command);
    try {
      yield* file.output();
      const { exitCode } = await program.ended;
      if (!isDirectory || exitCode !== TAR_WARNING) await assertSucceeded(program, path);
    } finally {
      await file.close();
    }
  }

  /**
   * Writes exactly `size` bytes.
   * @param source is not read to its end if the container rejects the file.
   * @throws as `list`, and DomainError `file_exists`
   */
  async write(
    of: Container,
    { path, size, replace }: { path: string; size: number; replace: boolean },
    source: AsyncIterable<Buffer>,
  ): Promise<void> {
    // Once it has everything, the program is left to move the file: ending it would leave half of the target.
    let isSent = false;
    const stop = new AbortController();
    of.signal.addEventListener('abort', () => isSent || stop.abort());
    const command = fileProgram.write(path, size, replace);
    const { program, file } = await this.start({ ...of, signal: stop.signal }, path, command, true);
    try {
      program.stream.resume();
      const sent = pipeline(file.input(source), program.stream, { end: false }).then(
        () => {
          isSent = true;
          file.letFinish();
          return delay(WRITTEN_MS, undefined, { ref: false });
        },
        () => undefined,
      );
      await Promise.race([sent, program.ended]);
      program.stream.destroy();
      await assertSucceeded(program, path);
    } finally {
      await file.close();
    }
  }

  private async outputOf(of: Container, path: string, command: string[], most: number): Promise<Buffer> {
    const { program, file } = await this.start(of, path, command);
    const timer = file.stallAfter(ANSWER_MS);
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of file.output()) {
        bytes += chunk.length;
        if (bytes > most) throw new DomainError('file_refused', `${path} has too many entries to list.`);
        chunks.push(chunk);
      }
      await assertSucceeded(program, path);
      return Buffer.concat(chunks);
    } finally {
      clearTimeout(timer);
      await file.close();
    }
  }

  private async start(
    { api, pod, container, cluster, signal }: Container,
    path: string,
    command: string[],
    stdin = false,
  ): Promise<{ program: RunningProgram; file: FileProgram }> {
    if (isAborted(signal)) throw abandoned();
    const release = this.slots.take(cluster);
    try {
      const program = await api.exec(pod, { container, command, tty: false, stdin });
      program.stream.on('error', () => undefined);
      const leave = (): void => void program.stream.destroy(abandoned());
      signal.addEventListener('abort', leave, { once: true });
      void program.ended.then(() => signal.removeEventListener('abort', leave));
      if (isAborted(signal)) leave();
      const pid = await readPid(program).catch(async (error: unknown) => {
        await assertSucceeded(program, path);
        throw error;
      });
      const endProcesses = (): Promise<void> => endProgram(api, pod, container, endOfSession(pid));
      return { program, file: new FileProgram(program, path, endProcesses, release) };
    } catch (error) {
      release();
      throw error;
    }
  }
}

function abandoned(): DomainError {
  return new DomainError('file_refused', 'The client closed the connection.');
}

const REFUSALS: Readonly<Record<number, (path: string, reason: string) => DomainError>> = {
  [EXIT.missing]: (path) => new DomainError('file_not_found', `${path} does not exist in the container.`),
  [EXIT.dangling]: (path) =>
    new DomainError(
      'file_not_found',
      `${path} is a broken link: its target does not exist, or the link leads back to itself.`,
    ),
  [EXIT.notDirectory]: (path) => new DomainError('file_refused', `${path} is not a directory.`),
  [EXIT.notFile]: (path) => new DomainError('file_refused', `${path} is not a regular file.`),
  [EXIT.denied]: (path, reason) =>
    new DomainError(
      'file_refused',
      `The user of the container may not access ${path}${reason === '' ? '' : `: ${reason}`}.`,
    ),
  [EXIT.exists]: (path) =>
    new DomainError('file_exists', `${path} already exists. Replace it, or choose another name.`),
  [EXIT.incomplete]: (path) =>
    new DomainError('file_refused', `${path} was not received completely, and was not changed. Try again.`),
  [EXIT.noTool]: () => missingTools('tar and stat'),
  [EXIT.tooMany]: (path) => new DomainError('file_refused', `${path} has too many entries to list.`),
};

async function assertSucceeded(program: RunningProgram, path: string): Promise<void> {
  const { exitCode, problem } = await program.ended;
  if (exitCode === 0) return;
  const reason = (program.errorOutput().split('\n').at(-1) ?? '').slice(0, 300).replace(/\.$/, '');
  const refusal = REFUSALS[exitCode ?? 0];
  if (refusal) throw refusal(path, reason);
  if (/executable file|no such file/i.test(problem ?? '') || exitCode === 127) throw missingTools('sh');
  const why = problem ?? (reason === '' ? `exit code ${exitCode}` : reason);
  throw new DomainError('file_refused', `Could not access ${path} in the container: ${why.slice(0, 500)}.`);
}

function missingTools(tools: string): DomainError {
  return new DomainError(
    'file_tools_missing',
    `The image of the container has no ${tools}, which Slipway uses to access files. Start a debug container: it finds the files of the container in /proc/1/root.`,
  );
}
