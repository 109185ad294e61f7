/** Buttons that work without the server: the bar, what opens, closes, copies or filters, and what is marked `data-local`. */
const LOCAL = [
  '.bar *',
  'sw-outage *',
  'sw-toast-outlet *',
  'sw-close-button *',
  'sw-copy-button *',
  // It searches the lines that it holds.
  'sw-log-pane :is(sw-query-bar, sw-pod-log-line, sw-excluding-parts) *',
  '[aria-expanded]',
  '[aria-haspopup]',
  '[aria-pressed]',
  '[role=menuitemradio]',
  '[role=menuitemcheckbox]',
  '[role=tab]',
  '[role=columnheader] *',
  '[data-local]',
].join();
/** Of the links, those that act or load more than the page has: files, and pages of the other application. */
const CONTROLS = `:is(button:not(:disabled, ${LOCAL}), a:is([download], [target][href^='/'], [data-acts], sw-header-link *))`;
const EVENTS = ['click', 'submit', 'keydown'];

interface Disabled {
  /** Selector of the controls. */
  controls: string;
  /** Selector of the parts whose forms are not submitted and whose editors do not save. */
  parts: string;
}

/** Controls that need the server. */
const OF_SERVER: Disabled = { controls: CONTROLS, parts: '*' };
/** Controls that change the cluster of the page or of a dialog. A part with an editor is marked like a control. */
export const OF_CHANGES: Disabled = {
  controls:
    ':is(button, a)[data-changes], .dialog-pane:has([data-changes-off]) :is([type=submit], button.primary):not([data-reads], [data-local], [data-open])',
  parts: '[data-changes], .dialog-pane:has([data-changes-off]):not(:has([data-reads]))',
};

/** Controls that need a right which the user of the cluster does not have. The attribute has the reason. */
export const DENIED: Disabled = { controls: ':is(button, a)[data-denied]', parts: '[data-denied]' };

/** Controls that a session of the scope `read` may not use. */
export const OF_FULL_SCOPE: Disabled = {
  controls: ':is(button, a):is([data-changes], [data-writes])',
  parts: '[data-changes], [data-writes]',
};

/**
 * Disables controls of the document, also those that it gets meanwhile, and says why. They stay in reach of the
 * keyboard, and fields keep what was typed. @returns enables them again
 */
export function disableControls(
  document: Document,
  why: string | ((control: Element) => string),
  { controls, parts }: Disabled = OF_SERVER,
): () => void {
  const enabled = `:is(${controls}):not([aria-disabled=true])`;
  const titles = new Map<Element, string | null>();
  const reason = (control: Element): string => (typeof why === 'string' ? why : why(control));
  const enable = (control: Element): void => {
    const title = titles.get(control) ?? null;
    control.removeAttribute('aria-disabled');
    control.removeAttribute('data-offline');
    if (title === null) control.removeAttribute('title');
    else control.setAttribute('title', title);
    titles.delete(control);
  };
  const disable = (): void => {
    // A removed control may come back.
    for (const control of titles.keys()) {
      if (!control.isConnected || !control.matches(controls)) enable(control);
    }
    for (const control of document.querySelectorAll(enabled)) {
      if (!titles.has(control)) titles.set(control, control.getAttribute('title'));
      control.setAttribute('aria-disabled', 'true');
      control.setAttribute('data-offline', '');
      control.setAttribute('title', reason(control));
    }
  };
  // Menu items act on keys themselves; the Enter key of a field submits its form; Ctrl+S saves in editors.
  const stop = (event: Event): void => {
    const key = event instanceof KeyboardEvent ? event : undefined;
    const saves = key && (key.ctrlKey || key.metaKey) && ['s', 'Enter'].includes(key.key);
    if (key && !saves && key.key !== 'Enter' && key.key !== ' ') return;
    const stopped = saves || event.type === 'submit' ? parts : controls;
    if (!(event.target as Element).closest(stopped)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  let frame: number | undefined;
  let isStale = false;
  /** At once for the first change, and then once per frame: rendering makes many changes. */
  const disableSoon = (): void => {
    isStale = frame !== undefined;
    if (isStale) return;
    disable();
    // Its own changes.
    changes.takeRecords();
    frame = requestAnimationFrame(() => {
      frame = undefined;
      if (isStale) disableSoon();
    });
  };
  const changes = new MutationObserver(disableSoon);
  disable();
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'aria-disabled', 'data-changes-off', 'data-denied'],
  });
  for (const type of EVENTS) document.addEventListener(type, stop, true);
  return () => {
    changes.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
    for (const type of EVENTS) document.removeEventListener(type, stop, true);
    for (const control of titles.keys()) enable(control);
  };
}
