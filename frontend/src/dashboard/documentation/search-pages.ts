import type { DocumentationPageDto } from '../../shared/api/api-types';
import type { RenderedPage } from './markdown';

export interface Section {
  page: DocumentationPageDto;
  /** Empty for the text before the first heading. */
  id: string;
  heading: string;
  text: string;
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
  const sections: Section[] = [];
  let section: Section = { page, id: '', heading: page.title, text: '' };
  for (const element of content.children) {
    const heading = byId.get(element.id);
    if (heading === undefined) {
      section.text += `${textOf(element)} `;
      continue;
    }
    sections.push(section);
    section = { page, id: element.id, heading, text: '' };
  }
  return [...sections, section].filter(({ id, text }) => id !== '' || text !== '');
}

/** Sections that contain every word of the query: matching headings first, then in the order of the pages. */
export function searchSections(sections: readonly Section[], query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const inHeading: Section[] = [];
  const inText: Section[] = [];
  for (const section of sections) {
    const heading = section.heading.toLowerCase();
    const text = section.text.toLowerCase();
    if (words.every((word) => heading.includes(word))) inHeading.push(section);
    else if (words.every((word) => heading.includes(word) || text.includes(word))) inText.push(section);
  }
  return [...inHeading, ...inText].slice(0, MAX_RESULTS).map((section) => ({
    section,
    heading: markWords(section.heading, words),
    excerpt: markWords(excerptOf(section.text.trim(), words), words),
  }));
}

/** The text of an element, with spaces between cells and rows, and without the labels of buttons. */
function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const button of copy.querySelectorAll('button')) button.remove();
  for (const part of copy.querySelectorAll('td, th, li, p, br')) part.append(' ');
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places) - EXCERPT_BEFORE);
  const start = Number.isFinite(first) && first > 0 ? text.indexOf(' ', first) + 1 : 0;
  const end = start + EXCERPT_LENGTH;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function markWords(text: string, words: readonly string[]): TextPart[] {
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return (
    text
      // eslint-disable-next-line no-restricted-syntax -- The words are escaped.
      .split(new RegExp(`(${pattern})`, 'gi'))
      .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
      .filter((part) => part.text !== '')
  );
}
