import { printingPid } from '../shells/index.js';

/**
 * Shell scripts for the container. Paths are arguments, never part of a script. They need `sh`, `stat`, `head` and `cat`, which
 * every common base image has; only directories need `tar`.
 */

/** Exit codes of the scripts. 1 and 2 are those of the programs that they run. */
export const EXIT = {
  missing: 40,
  notDirectory: 41,
  notFile: 42,
  denied: 43,
  exists: 44,
  incomplete: 45,
  noTool: 46,
  tooMany: 47,
} as const;

/** Between the entries of a directory and the same entries with links followed. */
export const FOLLOWED = '//';

const LIST = `[ -e "$1" ] || exit ${EXIT.missing}
[ -d "$1" ] || exit ${EXIT.notDirectory}
cd -- "$1" 2>/dev/null && [ -r . ] || exit ${EXIT.denied}
command -v stat >/dev/null || exit ${EXIT.noTool}
stat -c '%f/%s/%Y/%n' -- .* * 2>/dev/null
[ $? -lt 126 ] || exit ${EXIT.tooMany}
echo ${FOLLOWED}
stat -L -c '%f/%s/%Y/%n' -- .* * 2>/dev/null
exit 0`;

const FILE = `[ -e "$1" ] || exit ${EXIT.missing}
[ -f "$1" ] || exit ${EXIT.notFile}
[ -r "$1" ] || exit ${EXIT.denied}
`;

const KIND = `[ -e "$1" ] || exit ${EXIT.missing}
[ -d "$1" ] && { echo directory; exit 0; }
[ -f "$1" ] || exit ${EXIT.notFile}
[ -r "$1" ] || exit ${EXIT.denied}
echo file`;

const PACK = `command -v tar >/dev/null || exit ${EXIT.noTool}
exec tar -cf - -C "\${1%/*}/" -- "\${1##*/}"`;

/**
 * Writes a file beside the target first, so that an interrupted upload changes nothing. An existing file keeps its owner and
 * mode. The size ends the input, since older versions of Kubernetes cannot close it.
 */
const WRITE = `part="$1.upload-$$"
[ -d "\${1%/*}/" ] || exit ${EXIT.missing}
[ -d "$1" ] && exit ${EXIT.notFile}
[ "$3" = replace ] || [ ! -e "$1" ] || exit ${EXIT.exists}
trap 'rm -f "$part"' EXIT
trap 'exit ${EXIT.incomplete}' HUP TERM
head -c "$2" >"$part" || exit ${EXIT.denied}
[ "$(wc -c <"$part")" -eq "$2" ] || exit ${EXIT.incomplete}
if [ -e "$1" ]; then cat "$part" >"$1"; else mv "$part" "$1"; fi || exit ${EXIT.denied}`;

export const fileProgram = {
  list: (path: string) => printingPid(LIST, path),
  /** Says `file` or `directory`. */
  kind: (path: string) => printingPid(KIND, path),
  /** The start of a file. */
  head: (path: string, bytes: number) => printingPid(`${FILE}exec head -c "$2" "$1"`, path, String(bytes)),
  content: (path: string) => printingPid(`${FILE}exec cat "$1"`, path),
  /** A directory as a tar archive. */
  pack: (path: string) => printingPid(PACK, path),
  write: (path: string, bytes: number, replace: boolean) =>
    printingPid(WRITE, path, String(bytes), replace ? 'replace' : 'new'),
};
