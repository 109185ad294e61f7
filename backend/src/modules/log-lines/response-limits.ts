import { Injectable } from '@nestjs/common';

/** How much text one response may hold in memory. A line may have 64 kB, so a maximum number of lines limits nothing. */
@Injectable()
export class ResponseLimits {
  /** Maximum bytes of the texts of a page, and of the matches of a search that are sent at once. */
  readonly pageBytes: number = 8 * 1024 * 1024;
}
