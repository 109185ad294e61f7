import { joinEnds } from '../logging/bound-text.js';
import { plainText } from '../logging/redaction.js';

const MAX_LENGTH = 2000;
/** kind puts the output of the program that it called after this, and its own error before it. */
const INNER_OUTPUT = 'Command Output:';
/** `Error: …`, `docker: Error response from daemon: …`, `ERROR: …`, `panic: …` */
const ERROR_LINE = /^(?:[\w./-]{1,40}: )?(?:error|fatal|panic)[: ]/i;
const DAEMON_ERROR = /^(?:[\w./-]{1,40}: )?error response from daemon: /i;
/** kubeadm's failed checks. */
const FAILED_CHECK = /^\s{0,8}\[ERROR [\w-]{1,60}\]: /;
/** Entries of a log: klog, logrus and slog. */
const LOG_LINE = /^(?:[IWEF]\d{4} |(?:time="?[^ "]{1,40}"? )?level=)/i;
const LOGGED_ERROR = /\blevel=(?:error|fatal) (?:msg=)?"?([^"]{0,2000})/i;
const WARNING = /^(?:[\w./-]{1,40}: )?(?:warning|warn|deprecated)\b/i;
/** Advice how to call the program, and traces: what follows is not the cause. */
const HINT =
  /^\s{0,8}(?:use --debug|run '|see '|try ['`-]|usage:|flags:|options:|to see the stack trace|stack trace:|no stack trace|exit status \d|goroutine \d|\[preflight\] if you know)/i;
const STACK_FRAME = /\.go:\d{1,6}$|^(?:[a-z0-9-]{1,60}\.[a-z]{2,6}\/|runtime\.|main\.)/;
/** The log entry of an OCI runtime, quoted by Podman. */
const LOG_ENTRY = /\btime="[^"]{1,40}" level=\w{1,10} msg="((?:[^"\\]|\\.){0,2000})"/;
const COMMAND = 'command "';
const COMMAND_FAILED = '" failed with error: ';

/**
 * The sentence in the output of a failed program (kind, helm, docker, podman, and what they call) that says why it failed;
 * empty without one. test/fixtures/program-outputs.json has real outputs, each with its sentence.
 */
export function decisiveSentence(output: string): string {
  const text = plainText(output);
  const at = text.lastIndexOf(INNER_OUTPUT);
  if (at === -1) return sentenceIn(text);
  return sentenceIn(text.slice(at + INNER_OUTPUT.length)) || sentenceIn(text.slice(0, at));
}

function sentenceIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const checks = lines.filter((line) => FAILED_CHECK.test(line));
  if (checks.length > 0) return shorten(checks);
  const errors = blocksOf(lines);
  const error = errors.findLast(([first = '']) => DAEMON_ERROR.test(first)) ?? errors.at(-1);
  if (error) return shorten(error);
  const said = linesBeforeHints(lines);
  const last = said.findLast((line) => !LOG_LINE.test(line) && !WARNING.test(line)) ?? '';
  const logged = lines.map((line) => LOGGED_ERROR.exec(line)?.[1]).findLast((line) => line !== undefined);
  return shorten([logged ?? (last || (lines.at(-1) ?? ''))]);
}

/** Each error with the lines that continue it. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    const unindented = line.trimStart() === line || blocks.length === 0 ? line.trimStart() : line;
    if (isEnd(line)) open = undefined;
    else if (LOG_LINE.test(unindented) || WARNING.test(unindented)) continue;
    else if (ERROR_LINE.test(unindented)) blocks.push((open = [unindented]));
    else open?.push(line);
  }
  return blocks;
}

function linesBeforeHints(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex(isEnd);
  return end > 0 ? lines.slice(0, end) : lines;
}

function isEnd(line: string): boolean {
  const word = line.trim();
  return HINT.test(line) || (!word.includes(' ') && STACK_FRAME.test(word));
}

function shorten(lines: readonly string[]): string {
  const text = lines.reduce((before, line) => {
    // Two sentences on lines of their own.
    const separator = /\w$/.test(before) && /^\w/.test(line) ? '; ' : ' ';
    return before.trimEnd() + separator + line.trim();
  });
  const whole = withoutCommand(text.trim());
  const isLong = whole.length > MAX_LENGTH;
  // The last cause in a chain of errors is at the end.
  return (isLong ? joinEnds(whole, whole, MAX_LENGTH, whole.length, ' ') : whole)
    .replace(/^(?:[\w./-]{1,40}: )?(?:error|fatal|panic)(?: response from daemon)?: |^docker: /i, '')
    .replace(/^(?:INSTALLATION|UPGRADE|ROLLBACK|UNINSTALLATION) FAILED: /, '')
    .replace(LOG_ENTRY, (_, message: string) => message.replaceAll('\\"', '"'))
    .replace(/(^| )\d{1,9} errors? occurred: \* /, '$1')
    .trim();
}

/** Without the arguments of a failed command, which can have thousands of characters. */
function withoutCommand(text: string): string {
  const start = text.indexOf(COMMAND);
  const end = text.indexOf(COMMAND_FAILED, start);
  if (start === -1 || end === -1) return text;
  const [program] = text.slice(start + COMMAND.length, end).split(' ', 1);
  return `${text.slice(0, start)}${program} failed: ${text.slice(end + COMMAND_FAILED.length)}`;
}
