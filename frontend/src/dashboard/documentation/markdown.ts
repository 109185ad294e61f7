import { Marked } from 'marked';
import { served } from '../../shared/api/base-path';

interface Heading {
  id: string;
  text: string;
  /** 1 for the title. */
  level: number;
}

export interface RenderedPage {
  content: DocumentFragment;
  headings: Heading[];
}

const markdown = new Marked({ gfm: true });

/** Markdown as unsafe HTML: pass it through Angular's sanitizer before anything else. */
export function toHtml(text: string): string {
  return markdown.parse(text, { async: false });
}

/** Where a page is shown, and where its relative links lead. */
export interface PageContext {
  /** URL of the page. Links within it need it because the document has a base URL. */
  url: string;
  /** File of the page in the project folder. */
  file: string;
  /** URLs of the pages by their files. */
  urls: ReadonlyMap<string, string>;
}

/**
 * Completes sanitized HTML: ids and anchors for headings, working links, Copy buttons for code, scrolling
 * tables. The fragment belongs to `document`.
 */
export function renderPage(safeHtml: string, document: Document, page: PageContext): RenderedPage {
  const template = document.createElement('template');
  template.innerHTML = safeHtml;
  const { content } = template;
  const headings = nameHeadings(content, document, page.url);
  for (const link of content.querySelectorAll('a:not(.anchor)')) fixLink(link, document, page);
  for (const image of content.querySelectorAll('img')) fixImage(image, document, page);
  for (const block of content.querySelectorAll('pre')) addCopyButton(block, document);
  for (const table of content.querySelectorAll('table')) wrapTable(table, document);
  return { content: document.adoptNode(content), headings };
}

/** The id of a heading, as GitHub builds it, so that links written for GitHub work here. */
export function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function nameHeadings(content: DocumentFragment, document: Document, url: string): Heading[] {
  const used = new Map<string, number>();
  return [...content.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((heading) => {
    const text = heading.textContent.trim();
    const base = slug(text) || 'section';
    const times = used.get(base) ?? 0;
    used.set(base, times + 1);
    const id = times === 0 ? base : `${base}-${times}`;
    heading.id = id;
    // Focusable, so that the keyboard continues from the target of a jump.
    heading.setAttribute('tabindex', '-1');
    const anchor = document.createElement('a');
    anchor.className = 'anchor';
    anchor.href = `${url}#${id}`;
    anchor.setAttribute('aria-label', $localize`Link to “${text}:heading:”`);
    anchor.textContent = '#';
    heading.append(anchor);
    return { id, text, level: Number(heading.tagName.slice(1)) };
  });
}

function fixLink(link: Element, document: Document, page: PageContext): void {
  const target = link.getAttribute('href') ?? '';
  if (target.startsWith('#')) {
    link.setAttribute('href', `${page.url}${target}`);
  } else if (/^https?:\/\//i.test(target)) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  } else if (!/^mailto:/i.test(target)) {
    const hash = target.includes('#') ? target.slice(target.indexOf('#')) : '';
    const url = page.urls.get(projectFile(target, page) ?? '');
    if (url === undefined) replaceByFile(link, target, document);
    else link.setAttribute('href', `${url}${hash}`);
  }
}

function projectFile(target: string, { file }: PageContext): string | undefined {
  const url = URL.parse(target, `file:///${file}`);
  return url?.protocol === 'file:' ? decodePath(url.pathname.slice(1)) : undefined;
}

/** Other project files are not served: shows the name instead of a broken link. */
function replaceByFile(link: Element, target: string, document: Document): void {
  const name = document.createElement('span');
  name.className = 'file';
  name.title = $localize`${decodePath(target)}:path:, in the project folder`;
  name.append(...link.childNodes);
  link.replaceWith(name);
}

/** Shows only images shipped with the product; replaces others by their description. */
function fixImage(image: HTMLImageElement, document: Document, page: PageContext): void {
  const file = projectFile(image.getAttribute('src') ?? '', page);
  if (file?.startsWith('docs/screenshots/')) {
    image.setAttribute('src', served(`/readme/${file}`));
    return;
  }
  replaceByDescription(image, document);
}

export function replaceByDescription(image: HTMLImageElement, document: Document): void {
  const source = image.getAttribute('src') ?? '';
  const text = document.createElement('span');
  text.className = 'picture';
  text.textContent = image.alt || $localize`Image`;
  if (source !== '') text.title = decodePath(source);
  image.replaceWith(text);
}

function addCopyButton(block: HTMLPreElement, document: Document): void {
  const frame = document.createElement('div');
  frame.className = 'code';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn small copy-code';
  button.textContent = $localize`Copy`;
  block.replaceWith(frame);
  // Wide blocks scroll, so they must be focusable.
  block.setAttribute('tabindex', '0');
  block.setAttribute('role', 'group');
  block.setAttribute('aria-label', $localize`Code`);
  frame.append(block, button);
}

function wrapTable(table: HTMLTableElement, document: Document): void {
  const frame = document.createElement('div');
  frame.className = 'wide';
  frame.setAttribute('tabindex', '0');
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', $localize`Table`);
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
