import { printingPid } from '../shells/index.js';
import { printable } from './file-names.js';

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
  dangling: 48,
} as const;

/** The first argument is the path for `printf %b`. The dot keeps line breaks at its end. */
const PATH = `target=$(printf '%b.' "$1"); target=\${target%.}
`;

const EXISTING = `${PATH}[ -e "$target" ] || { [ -L "$target" ] && exit ${EXIT.dangling}; exit ${EXIT.missing}; }
`;

/**
 * Names that end with NUL, an empty one, and the properties of the entries, first of links and then of their targets. A
 * reader knows by the names where an entry ends. busybox has neither `stat --printf` nor `find -printf`.
 */
const LIST = `${EXISTING}[ -d "$target" ] || exit ${EXIT.notDirectory}
cd -- "$target" 2>/dev/null && [ -r . ] || exit ${EXIT.denied}
command -v stat >/dev/null || exit ${EXIT.noTool}
printf '%s\\0' .* * ''
stat -c '%f/%s/%Y/%n' -- .* * 2>/dev/null
[ $? -lt 126 ] || exit ${EXIT.tooMany}
printf '\\0'
stat -L -c '%f/%s/%Y/%n' -- .* * 2>/dev/null
exit 0`;

const FILE = `${EXISTING}[ -f "$target" ] || exit ${EXIT.notFile}
[ -r "$target" ] || exit ${EXIT.denied}
`;

const KIND = `${EXISTING}if [ -d "$target" ]; then
  [ -r "$target" ] && [ -x "$target" ] || exit ${EXIT.denied}
  echo directory
  exit 0
fi
[ -f "$target" ] || exit ${EXIT.notFile}
[ -r "$target" ] || exit ${EXIT.denied}
echo file`;

/**
 * Follows a link to the directory, but no links in it. tar drops a slash at the end of a name and then packs the link, so it
 * gets the entries; a dot instead, which remains in the names, in an empty or a large directory.
 */
const PACK = `${PATH}command -v tar >/dev/null || exit ${EXIT.noTool}
cd -- "\${target%/*}/" || exit ${EXIT.denied}
name=\${target##*/}
[ -L "$name" ] || exec tar -cf - -- "$name"
set --
for entry in "$name"/* "$name"/.[!.]* "$name"/..?*; do
  [ $# -le 5000 ] || break
  [ -e "$entry" ] || [ -L "$entry" ] || continue
  set -- "$@" "$entry"
done
[ $# -gt 0 ] && [ $# -le 5000 ] || set -- "$name/."
exec tar -cf - -- "$@"`;

/**
 * Writes a file beside the target first, so that an interrupted upload changes nothing. An existing file keeps its owner and
 * mode. The size ends the input, since older versions of Kubernetes cannot close it.
 */
const WRITE = `${PATH}part="$target.upload-$$"
[ -d "\${target%/*}/" ] || exit ${EXIT.missing}
[ -d "$target" ] && exit ${EXIT.notFile}
[ "$3" = replace ] || [ ! -e "$target" ] || exit ${EXIT.exists}
trap 'rm -f "$part"' EXIT
trap 'exit ${EXIT.incomplete}' HUP TERM
head -c "$2" >"$part" || exit ${EXIT.denied}
[ "$(wc -c <"$part")" -eq "$2" ] || exit ${EXIT.incomplete}
if [ -e "$target" ]; then cat "$part" >"$target"; else mv "$part" "$target"; fi || exit ${EXIT.denied}`;

function ofPath(script: string, path: string, ...parameters: string[]): string[] {
  return printingPid(script, printable(path), ...parameters);
}

export const fileProgram = {
  list: (path: string) => ofPath(LIST, path),
  /** Says `file` or `directory`. */
  kind: (path: string) => ofPath(KIND, path),
  /** The start of a file. */
  head: (path: string, bytes: number) => ofPath(`${FILE}exec head -c "$2" "$target"`, path, String(bytes)),
  content: (path: string) => ofPath(`${FILE}exec cat "$target"`, path),
  /** A directory as a tar archive. */
  pack: (path: string) => ofPath(PACK, path),
  write: (path: string, bytes: number, replace: boolean) =>
    ofPath(WRITE, path, String(bytes), replace ? 'replace' : 'new'),
};
