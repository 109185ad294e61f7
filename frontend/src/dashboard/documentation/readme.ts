import { Marked } from 'marked';

export interface ReadmeHeading {
  id: string;
  text: string;
  /** 1 for the title. */
  level: number;
}

export interface Readme {
  content: DocumentFragment;
  headings: ReadmeHeading[];
}

const markdown = new Marked({ gfm: true });

/** Markdown as HTML, not yet safe: it goes through Angular's sanitizer before anything else touches it. */
export function toHtml(text: string): string {
  return markdown.parse(text, { async: false });
}

/**
 * Finishes sanitized HTML: headings get ids and a link to themselves, links lead where they can, code can
 * be copied, wide tables scroll inside themselves. The fragment belongs to `document`.
 *
 * @param page the address of the page, as links within it have to name it where the document has a base
 */
export function buildReadme(safeHtml: string, document: Document, page: string): Readme {
  const template = document.createElement('template');
  template.innerHTML = safeHtml;
  const { content } = template;
  const headings = nameHeadings(content, document, page);
  for (const link of content.querySelectorAll('a:not(.anchor)')) treatLink(link, document, page);
  for (const image of content.querySelectorAll('img')) treatImage(image, document);
  for (const block of content.querySelectorAll('pre')) addCopyButton(block, document);
  for (const table of content.querySelectorAll('table')) wrapTable(table, document);
  return { content: document.adoptNode(content), headings };
}

/** As GitHub names headings, so that links written for it work here too. */
export function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function nameHeadings(content: DocumentFragment, document: Document, page: string): ReadmeHeading[] {
  const used = new Map<string, number>();
  return [...content.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((heading) => {
    const text = heading.textContent.trim();
    const base = slug(text) || 'section';
    const times = used.get(base) ?? 0;
    used.set(base, times + 1);
    const id = times === 0 ? base : `${base}-${times}`;
    heading.id = id;
    // Focus follows a jump, so that the keyboard goes on from there.
    heading.setAttribute('tabindex', '-1');
    const anchor = document.createElement('a');
    anchor.className = 'anchor';
    anchor.href = `${page}#${id}`;
    anchor.setAttribute('aria-label', `Link to “${text}”`);
    anchor.textContent = '#';
    heading.append(anchor);
    return { id, text, level: Number(heading.tagName.slice(1)) };
  });
}

function treatLink(link: Element, document: Document, page: string): void {
  const target = link.getAttribute('href') ?? '';
  if (target.startsWith('#')) {
    link.setAttribute('href', `${page}${target}`);
  } else if (/^https?:\/\//i.test(target)) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  } else if (!/^mailto:/i.test(target)) {
    replaceByFile(link, target, document);
  }
}

/** A file of the project is not served: its name is told, and no link leads nowhere. */
function replaceByFile(link: Element, target: string, document: Document): void {
  const name = document.createElement('span');
  name.className = 'file';
  name.title = `${decodePath(target)}, in the project’s folder`;
  name.append(...link.childNodes);
  link.replaceWith(name);
}

/** Only pictures that come with the product are shown; of others the description is. */
function treatImage(image: HTMLImageElement, document: Document): void {
  const source = image.getAttribute('src') ?? '';
  const own = /^(?:\.\/)?(docs\/[^?#]+)$/.exec(source)?.[1];
  if (own && !own.split('/').includes('..')) {
    image.setAttribute('src', `/readme/${own}`);
    image.setAttribute('loading', 'lazy');
    return;
  }
  replaceByWords(image, document);
}

/** What a picture shows, in its author's words, where the picture itself cannot be shown. */
export function replaceByWords(image: HTMLImageElement, document: Document): void {
  const source = image.getAttribute('src') ?? '';
  const words = document.createElement('span');
  words.className = 'picture';
  words.textContent = image.alt || 'A picture';
  if (source !== '') words.title = decodePath(source);
  image.replaceWith(words);
}

function addCopyButton(block: HTMLPreElement, document: Document): void {
  const frame = document.createElement('div');
  frame.className = 'code';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn small copy-code';
  button.textContent = 'Copy';
  block.replaceWith(frame);
  // A wide block scrolls, and what scrolls is reached by the keyboard.
  block.setAttribute('tabindex', '0');
  block.setAttribute('role', 'group');
  block.setAttribute('aria-label', 'Code');
  frame.append(block, button);
}

function wrapTable(table: HTMLTableElement, document: Document): void {
  const frame = document.createElement('div');
  frame.className = 'wide';
  frame.setAttribute('tabindex', '0');
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', 'Table');
  table.replaceWith(frame);
  frame.append(table);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
