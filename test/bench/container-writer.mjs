import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const IMAGE = process.env.APP_TEST_NODE_IMAGE ?? 'kindest/node:v1.37.0';
/** How many of many are started at a time. */
const AT_ONCE = 4;
/** Longest that the start of one takes on a busy machine, beside others. */
const START_SECONDS = 1.5;

/**
 * Writes lines at a rate, each with the moment of its writing in seconds; the clock is the machine's, as everybody's
 * here. Some at a time where more than a thousand are wanted a second.
 */
const WRITER = `
use Time::HiRes qw(time sleep);
$| = 1;
my ($rate, $seconds, $shape, $at) = @ARGV;
my $batch = $rate > 1000 ? int($rate / 1000) : 1;
my ($start, $number, $text) = ($at > time ? $at : time, 0, '');
my $count = $rate * $seconds;
while ($number < $count) {
  my $wait = $start + $number / $rate - time;
  sleep($wait) if $wait > 0;
  $text = '';
  for (1 .. $batch) {
    my $now = sprintf('%.6f', time);
    $number++;
    my $line = "t=$now n=$number GET /orders/$number 200 of the customer who was here before";
    $line = qq({"level":"info","msg":"$line"}) if $shape eq 'json';
    $line = "INFO $line" if $shape eq 'level';
    $text .= "$line\\n";
  }
  print $text;
}
sleep(600);
`;

/** A container that writes, and is there for ten more minutes. */
export class ContainerWriter {
  /** @param beginsAt milliseconds since the epoch: no line was written before. */
  constructor(engine, id, beginsAt) {
    this.engine = engine;
    this.id = id;
    this.beginsAt = beginsAt;
  }

  /**
   * @param rate lines a second.
   * @param seconds for which it writes; with 0 it writes nothing.
   * @param shape of a line: plain where it is empty, `json` or `level`.
   */
  static async start(engine, { rate, seconds, shape = '' }) {
    const [writer] = await ContainerWriter.startMany(engine, 1, { rate, seconds, shape });
    return writer;
  }

  /** Several that begin to write at the same moment, a second or more after all of them have started. */
  static async startMany(engine, count, { rate, seconds, shape = '' }) {
    const beginsAt = Date.now() + (1 + count * START_SECONDS) * 1000;
    const program = ['perl', '-e', WRITER, rate, seconds, shape, beginsAt / 1000].map(String);
    // The first process of a container ignores SIGTERM by default: Podman would wait ten seconds for it.
    const options = ['--detach', '--stop-timeout=0', `--entrypoint=${program[0]}`];
    const args = ['run', ...options, IMAGE, ...program.slice(1)];
    const writers = [];
    const start = async () => {
      const { stdout } = await promisify(execFile)(engine, args);
      writers.push(new ContainerWriter(engine, stdout.trim(), beginsAt));
    };
    try {
      while (writers.length < count) {
        const started = await Promise.allSettled(
          Array.from({ length: Math.min(AT_ONCE, count - writers.length) }, start),
        );
        for (const { reason } of started) if (reason) throw reason;
      }
      return writers;
    } catch (error) {
      ContainerWriter.stop(writers);
      throw error;
    }
  }

  /** Removes them. */
  static stop(writers) {
    if (writers.length === 0) return;
    const ids = writers.map(({ id }) => id);
    execFileSync(writers[0].engine, ['rm', '--force', ...ids], { stdio: 'ignore' });
  }

  stop() {
    ContainerWriter.stop([this]);
  }
}

/** The moment at which a line was written, in milliseconds since the epoch. */
export function writtenAt(text) {
  return Number(/t=(\d+\.\d+)/.exec(text)?.[1] ?? Number.NaN) * 1000;
}

/** The number of a line within what its container wrote. */
export function numberOf(text) {
  return Number(/ n=(\d+) /.exec(text)?.[1] ?? Number.NaN);
}
