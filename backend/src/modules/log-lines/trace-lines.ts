/** Indented lines of a trace: of Java, JavaScript and .NET; Python; C++, Dart and PHP; Go; Rust; Ruby. */
const INDENTED_FRAME =
  /^\s{1,40}(?:at |File "|#\d{1,5} |\/[^\s:]{1,400}:\d|\d{1,5}: |from [^\s:]{1,400}:\d|--- End of |---> |\.{3} \d)/;
/** Lines of a trace that are not indented. */
const FRAME =
  /^(?:Caused by:|Wrapped by:|Suppressed: |\.\.\. \d+ (?:more|common frames)|goroutine \d+ \[|During handling of the above |The above exception |created by |exit status \d|--- End of |\[signal |Stack trace:$|stack (?:backtrace|traceback):|#\d{1,5} |note: (?:run with|Some details)|\*\* \(|Node\.js v\d|> File "|\[stacktrace\]$)/;
const RUBY_FRAME = /^[^\s:]{1,200}:\d{1,7}:in [`'][^']{1,200}'$/;
const RUBY_HEAD = /^[^\s:]{1,200}:\d{1,7}:in [`'][^']{1,200}': /;
const TRACE_STARTS =
  /^(?:Traceback \(most recent call last\)|panic: |fatal error: |Exception in thread |goroutine \d+ \[|thread '[^']{0,100}' (?:\(\d+\) )?panicked at |stack backtrace:|Unhandled exception|Uncaught |node:[\w/]{1,100}:\d{1,7}$|(?:file:\/\/)?\/[^\s:]{1,300}\.[cm]?[jt]sx?:\d{1,7}$)/;
/** An exception with its message: in Java the first line of a trace, in Python the last one. */
const EXCEPTION =
  /^[\w.$]{1,200}(?:Error|Exception|Warning|Exit|Interrupt|Timeout|Iteration|Throwable|Group)(?:$|: |:$| \()/;
/** The same with any name of a class, behind a frame or code of Python. `INFO: ` is a level. */
const NAMED = /^(?![A-Z]{3,13}(?:$|:))(?:[a-z_][\w.]{0,200}\.)?[A-Z]\w{0,100}(?:$|: )/;
const PYTHON = /^ {2,60}(?!at |\d)\S/;
/** A function in a Go trace. */
const GO_FUNCTION = /^[\w./*()-]{1,300}\([^)]{0,300}\)$/;
/** The same without arguments, as zap writes it. */
const GO_NAME = /^[a-z][\w./*()[\]-]{1,300}$/;
/** Lines behind a trace of Node.js or of an Erlang process. */
const MORE = /^(?:Error: |\[\w{1,100}: |Last message(?: \(|: )|State: )/;
/** Behind it, Rust writes the message in a line of its own. */
const RUST_HEAD = /panicked at [^\s]{1,300}:\d{1,7}:\d{1,7}:$/;
/** The last line of an object that is printed over several lines. */
const CLOSING = /^"?[\])}]{1,3}[,;]?\s{0,8}$/;
/** A time, also behind the address in an access log. */
const TIME =
  /^\[?(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|[\da-f.:]{3,45} - [^ ]{1,60} \[\d)/;

/** First characters of the lines above. A table, because it is read for each line. */
const FIRST = Uint8Array.from({ length: 128 }, (_, code) =>
  'C W S . g D T c e - [ s # n * N p f E t U > /'.includes(String.fromCharCode(code)) ? 1 : 0,
);

export function isFrame(text: string): boolean {
  const code = text.charCodeAt(0);
  if (code === 0x20 || code === 0x09) return INDENTED_FRAME.test(text);
  return (FIRST[code] === 1 && FRAME.test(text)) || (namesPlace(text, code) && RUBY_FRAME.test(text));
}

export function startsTrace(text: string): boolean {
  const code = text.charCodeAt(0);
  return (FIRST[code] === 1 && TRACE_STARTS.test(text)) || (namesPlace(text, code) && RUBY_HEAD.test(text));
}

/** Whether a line may begin with a path and a place in it. */
function namesPlace(text: string, first: number): boolean {
  return (first === 0x2f || (first > 0x40 && first < 0x7b)) && text.includes(':in ');
}

export function isException(text: string): boolean {
  return EXCEPTION.test(text);
}

/** Whether a line without indentation belongs to the trace before it. @param last the previous line */
export function endsTrace(text: string, last: string): boolean {
  if (EXCEPTION.test(text) || GO_FUNCTION.test(text) || TRACE_STARTS.test(text)) return true;
  if (MORE.test(text) || isGoName(text)) return true;
  return RUST_HEAD.test(last) || (PYTHON.test(last) && NAMED.test(text));
}

export function isGoName(text: string): boolean {
  return (
    GO_NAME.test(text) &&
    (text.includes('/') ? /\.[^/]{1,200}$/ : /^(?:main|runtime|reflect|testing)\./).test(text)
  );
}

export function isClosing(text: string): boolean {
  return CLOSING.test(text);
}

/** Whether the lines behind this one are part of what it opens. */
export function opensBlock(text: string): boolean {
  return /[[({,]\s*$/.test(text.slice(-8));
}

export function beginsWithTime(text: string): boolean {
  return TIME.test(text);
}
