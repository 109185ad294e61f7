/** The first word that a shell command prints. */
const MARKER = 'slipway-shell';
// eslint-disable-next-line no-restricted-syntax -- The marker is a constant.
const FIRST_LINE = new RegExp(`^${MARKER} (\\d{1,10})$`);

/**
 * A script that first prints its process id. An engine gives a program a session of its own (setsid), whose id is this
 * process id.
 */
export function printingPid(script: string, ...parameters: string[]): string[] {
  return ['sh', '-c', `printf '%s %s\\n' "$0" "$$"\n${script}`, MARKER, ...parameters];
}

/** Becomes the best shell of the image. */
const START = `export TERM=xterm-256color
for shell in bash ash sh; do command -v "$shell" >/dev/null 2>&1 && exec "$shell"; done`;

/** Runs \`is_ours\` for each process, and ends those for which it is true: first politely, then by force. */
const END_PROCESSES = `for signal in HUP TERM KILL; do
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    [ "$pid" != "$$" ] && is_ours && kill "-$signal" "$pid"
  done
  [ "$signal" = TERM ] && { sleep 0.3 || sleep 1; }
done 2>/dev/null
exit 0`;

/** The session is the fourth field after the name in parentheses, which can contain spaces. */
const IN_SESSION = `session=$1
is_ours() { read -r stat <"$folder/stat" || return 1; set -- \${stat##*) }; [ "$4" = "$session" ]; }
`;

/** Processes of one container have the same control groups, also if they share their process ids with another container. */
const IN_CONTAINER = `groups=$(cat /proc/self/cgroup)
is_ours() { [ "$(cat "$folder/cgroup")" = "$groups" ]; }
`;

/** Starts a shell on a terminal. */
export const SHELL_COMMAND = printingPid(START);

/** Waits until it is ended. A process without handlers would ignore signals as the first process of a container. */
export const IDLE_COMMAND = [
  'sh',
  '-c',
  "trap 'exit 0' HUP TERM; while :; do sleep 3600 & wait $!; done",
] as const;

/** Ends all processes that a shell has started, except those that left its session. */
export function endOfSession(pid: number): string[] {
  return ['sh', '-c', IN_SESSION + END_PROCESSES, 'sh', String(pid)];
}

/** Ends all processes of the container in which it runs. */
export const END_OF_CONTAINER = ['sh', '-c', IN_CONTAINER + END_PROCESSES] as const;

/** The process id in the first line of a shell's output; undefined for any other text, such as an error of the engine. */
export function pidIn(line: string): number | undefined {
  const [, digits] = FIRST_LINE.exec(line) ?? [];
  const pid = Number(digits);
  // 1 is the main process of a container, and never a shell that was started in it.
  return pid > 0 ? pid : undefined;
}

/** Whether an error of an engine means that the image has no shell. */
export function meansNoShell(text: string): boolean {
  return /executable file (`?sh`? )?not found|sh"?: (no such file|not found)|stat sh: no such file/i.test(
    text,
  );
}
