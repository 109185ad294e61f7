import type { DocumentationPageDto } from '../../shared/api/api-types';
import type { RenderedPage } from './markdown';
import { qualityOf, queryWords, rankSections, type Word, wordsOf } from './rank-sections';

export interface Section {
  page: DocumentationPageDto;
  /** Empty for the text before the first heading. */
  id: string;
  title: string;
  body: string;
  heading: Word[];
  text: Word[];
}

interface TextPart {
  text: string;
  hit: boolean;
}

export interface SearchResult {
  section: Section;
  heading: TextPart[];
  excerpt: TextPart[];
}

const MAX_RESULTS = 50;
/** Characters of an excerpt, and how many of them precede the first match. */
const EXCERPT_LENGTH = 200;
const EXCERPT_BEFORE = 60;

export function sectionsOf(page: DocumentationPageDto, { content, headings }: RenderedPage): Section[] {
  const byId = new Map(headings.map((heading) => [heading.id, heading.text]));
  const sections: Pick<Section, 'id' | 'title' | 'body'>[] = [];
  let section = { id: '', title: page.title, body: '' };
  for (const element of content.children) {
    const heading = byId.get(element.id);
    if (heading === undefined) {
      section.body += `${textOf(element)} `;
      continue;
    }
    sections.push(section);
    section = { id: element.id, title: heading, body: '' };
  }
  return [...sections, section]
    .filter(({ id, body }) => id !== '' || body !== '')
    .map(({ id, title, body }) => {
      const text = body.trim();
      return { page, id, title, body: text, heading: wordsOf(title), text: wordsOf(text) };
    });
}

/** @see rankSections */
export function searchSections(sections: readonly Section[], query: string): SearchResult[] {
  const wanted = queryWords(query);
  return rankSections(sections, query)
    .slice(0, MAX_RESULTS)
    .map(({ section, nearest }) => ({
      section,
      heading: markWords(section.title, wanted),
      excerpt: markWords(excerptOf(section.body, nearest?.at ?? 0), wanted),
    }));
}

/** The text of an element, with spaces between cells and rows, and without the labels of buttons. */
function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const button of copy.querySelectorAll('button')) button.remove();
  for (const part of copy.querySelectorAll('td, th, li, p, br')) part.append(' ');
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

function excerptOf(text: string, place: number): string {
  const first = place - EXCERPT_BEFORE;
  const start = first > 0 ? text.indexOf(' ', first) + 1 : 0;
  const end = start + EXCERPT_LENGTH;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function markWords(text: string, wanted: readonly Word[]): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const word of wordsOf(text)) {
    if (!wanted.some((each) => qualityOf(word, each) > 0)) continue;
    parts.push({ text: text.slice(end, word.at), hit: false });
    end = word.at + word.text.length;
    parts.push({ text: text.slice(word.at, end), hit: true });
  }
  return [...parts, { text: text.slice(end), hit: false }].filter((part) => part.text !== '');
}
