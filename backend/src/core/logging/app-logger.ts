import type { LoggerService } from '@nestjs/common';
import { pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Configuration } from '../config/index.js';
import { boundText, MAX_LINE } from './bound-text.js';
import { LogTail } from './log-tail.js';
import { mask, plainLine } from './redaction.js';
import { currentRequestId } from './request-context.js';

type Fields = Record<string, unknown>;

/** One structured entry per event. Masks secrets right before an entry is written. Also Nest's logger. */
export class AppLogger implements LoggerService {
  private constructor(
    private readonly logger: Logger,
    private readonly written: LogTail,
  ) {}

  static create(
    configuration: Configuration,
    destination: DestinationStream = defaultDestination(configuration),
  ): AppLogger {
    const tail = new LogTail();
    return new AppLogger(
      pino(
        {
          level: configuration.values.logLevel,
          base: null,
          timestamp: stdTimeFunctions.isoTime,
          formatters: { level: (label) => ({ level: label }), log: boundFields },
          serializers: { err: (error: Error) => boundFields({ ...stdSerializers.err(error) }) },
          mixin: () => {
            const requestId = currentRequestId();
            return requestId ? { request_id: requestId } : {};
          },
          hooks: {
            streamWrite: (line) => {
              const masked = mask(line);
              tail.add(masked);
              return masked;
            },
          },
        },
        destination,
      ),
      tail,
    );
  }

  /** The latest entries of this run as written, one JSON object per line. */
  recent(): string {
    return this.written.text();
  }

  /** A logger that adds fields to its entries, usually `{ context: 'ClassName' }`. */
  child(fields: Fields): AppLogger {
    return new AppLogger(this.logger.child(fields), this.written);
  }

  info(message: string, fields: Fields = {}): void {
    this.logger.info(fields, oneLine(message));
  }

  warning(message: string, fields: Fields = {}): void {
    this.logger.warn(fields, oneLine(message));
  }

  failure(message: string, error: unknown): void {
    this.logger.error({ err: error }, oneLine(message));
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, oneLine(String(message)));
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (message instanceof Error) {
      this.logger.error({ context: contextOf(rest), err: message }, oneLine(message.message));
    } else this.logger.error({ context: contextOf(rest) }, oneLine(String(message)));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: contextOf(rest) }, oneLine(String(message)));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, oneLine(String(message)));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ context: contextOf(rest) }, oneLine(String(message)));
  }
}

/** An entry is masked as a whole, so its texts are bounded before. */
function boundFields(fields: Fields): Fields {
  const bounded = ([name, value]: [string, unknown]): [string, unknown] => [
    name,
    typeof value === 'string' ? boundText(value, 2 * MAX_LINE) : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(bounded));
}

function oneLine(message: string): string {
  return plainLine(boundText(message, MAX_LINE));
}

/** Nest passes the context of an entry as its last parameter. */
function contextOf(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

function defaultDestination(configuration: Configuration): DestinationStream {
  const { logFormat } = configuration.values;
  const wantsPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY);
  if (!wantsPretty) return process.stdout;
  return pretty({
    translateTime: 'HH:MM:ss.l',
    ignore: 'context,request_id',
    sync: true,
    // Its own stream of the same file would end the process at an error other than EPIPE.
    destination: process.stdout,
  });
}
