import { Injectable } from '@nestjs/common';

/**
 * How much of the lines' texts is in memory for one answer, whatever is asked for: a line may have 64 kB, so that their
 * number alone bounds nothing.
 */
@Injectable()
export class AnswerBounds {
  /** Bytes of the texts of a page, and of what a search found that is told all at once. */
  readonly pageBytes: number = 8 * 1024 * 1024;
  /** Bytes of the texts that an export turns round at once: a search finds the newest lines first. */
  readonly exportBytes: number = 16 * 1024 * 1024;
  /** The same in lines. */
  readonly exportLines: number = 20_000;
}
