import type { Terminal } from '@xterm/xterm';

const XHTML = 'http://www.w3.org/1999/xhtml';

/**
 * The document with which a terminal creates its elements. xterm sets the colors of cells with `setAttribute('style')`, which
 * the content security policy blocks; it does not block the same change by script.
 */
export function terminalDocument(document: Document): Document {
  return new Proxy(document, {
    get(target, property) {
      if (property === 'createElement') return (name: string) => withStyle(target.createElement(name));
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function withStyle(element: HTMLElement): HTMLElement {
  if (element.tagName !== 'SPAN') return element;
  element.setAttribute = (name: string, value: string): void => {
    if (name === 'style') element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, name, value);
  };
  return element;
}

/** Opens a terminal whose style sheets have the nonce. xterm creates them while it opens, and has no option for a nonce. */
export function openWithNonce(terminal: Terminal, host: HTMLElement, nonce: string | null): void {
  const { ownerDocument } = host;
  Object.defineProperty(ownerDocument, 'createElement', {
    configurable: true,
    value: (name: string): HTMLElement => {
      const element = ownerDocument.createElementNS(XHTML, name);
      if (name === 'style' && nonce !== null) element.nonce = nonce;
      return element;
    },
  });
  try {
    terminal.open(host);
  } finally {
    // The document's own method again, from its prototype.
    Reflect.deleteProperty(ownerDocument, 'createElement');
  }
}
