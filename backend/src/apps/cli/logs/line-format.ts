import type { LineDto } from '../../../modules/log-lines/index.js';

type PrintedLine = Pick<LineDto, 'source' | 'time' | 'text'>;

/** Formats lines for people: the text, after the time and the name of the source if they are wanted. */
export class LineFormat {
  /** @param names of the sources by their ids; empty if the lines have one source. */
  constructor(
    private readonly names: ReadonlyMap<number, string>,
    private readonly hasTimes: boolean,
  ) {}

  format({ source, time, text }: PrintedLine): string {
    const name = this.names.get(source);
    const prefix = [...(this.hasTimes ? [time] : []), ...(name === undefined ? [] : [`${name} |`])];
    return `${[...prefix, text].join(' ')}\n`;
  }
}
