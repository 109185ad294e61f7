import { DOCUMENT } from '@angular/common';
import { Component, computed, effect, inject, SecurityContext, signal, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { DomSanitizer, Title } from '@angular/platform-browser';
import { ActivatedRoute, RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import type { DocumentationPageDto } from '../../shared/api/api-types';
import { served } from '../../shared/api/base-path';
import { apiResource, ApiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { type RenderedPage, renderPage, toHtml } from './markdown';
import { MarkdownArticle } from './markdown-article';
import { searchSections, sectionsOf } from './search-pages';

interface PageText {
  page: DocumentationPageDto;
  markdown: string;
}

const HOME = '/documentation';
const README = 'readme';

function urlOf(name: string): string {
  return name === README ? HOME : `${HOME}/${name}`;
}

@Component({
  selector: 'sw-documentation-page',
  imports: [MarkdownArticle, RouterLink, UI],
  templateUrl: './documentation-page.html',
  styleUrl: './documentation-page.scss',
})
export class DocumentationPage {
  private readonly api = inject(Api);
  private readonly document = inject(DOCUMENT);
  private readonly sanitizer = inject(DomSanitizer);
  private readonly title = inject(Title);
  private readonly route = inject(ActivatedRoute);
  private readonly fragment = toSignal(this.route.fragment);
  private readonly parameters = toSignal(this.route.paramMap);
  private readonly article = viewChild(MarkdownArticle);

  protected readonly urlOf = urlOf;
  protected readonly name = computed(() => this.parameters()?.get('page') ?? README);
  private readonly list = apiResource('/api/v1/docs');
  private readonly source = new ApiResource(
    async (name: string, signal) => ({
      name,
      markdown: await this.api.text('/api/v1/docs/{page}', { page: name }, signal),
    }),
    this.name,
  );
  protected readonly pages = computed(() => this.list.value() ?? []);
  protected readonly problem = computed(() => this.list.problem() ?? this.source.problem());
  /** The last page that was loaded: it stays shown while the next one loads. */
  private readonly loaded = this.source.value;
  protected readonly page = computed(() => {
    const loaded = this.loaded();
    const entry = this.pages().find(({ name }) => name === loaded?.name);
    return loaded && entry && !this.problem() ? this.render(entry, loaded.markdown) : undefined;
  });
  /** The heading to show once the page is loaded; null for the beginning of the page. */
  protected readonly target = computed(() =>
    this.loaded()?.name === this.name() ? (this.fragment() ?? null) : undefined,
  );
  protected readonly contents = computed(() =>
    (this.page()?.headings ?? []).filter(({ level }) => level === 2),
  );
  protected readonly current = signal<string | null>(null);

  protected readonly query = signal('');
  protected readonly isSearching = computed(() => this.query().trim() !== '');
  protected readonly texts: ApiResource<PageText[], DocumentationPageDto[]> = new ApiResource(
    // Downloaded by the first search only.
    async (pages, signal) =>
      this.texts.value() ??
      (await Promise.all(
        pages.map(async (page) => ({
          page,
          markdown: await this.api.text('/api/v1/docs/{page}', { page: page.name }, signal),
        })),
      )),
    () => (this.isSearching() && this.pages().length > 0 ? this.pages() : undefined),
  );
  private readonly sections = computed(() =>
    this.texts.value()?.flatMap(({ page, markdown }) => sectionsOf(page, this.render(page, markdown))),
  );
  /** Undefined while the pages load. */
  protected readonly results = computed(() => {
    const sections = this.sections();
    return sections && searchSections(sections, this.query());
  });

  constructor() {
    effect(() => {
      const entry = this.pages().find(({ name }) => name === this.name());
      if (this.page() && entry && entry.name !== README) this.title.setTitle(`${entry.title} · Slipway`);
    });
    effect((onCleanup) => {
      const headings = this.contents();
      if (!this.article() || headings.length === 0) return;
      const follow = (): void => this.current.set(this.headingInView(headings.map(({ id }) => id)));
      this.document.addEventListener('scroll', follow, { passive: true });
      follow();
      onCleanup(() => this.document.removeEventListener('scroll', follow));
    });
  }

  protected load(): void {
    this.list.reload();
    this.source.reload();
  }

  private render(page: DocumentationPageDto, markdown: string): RenderedPage {
    const safe = this.sanitizer.sanitize(SecurityContext.HTML, toHtml(markdown)) ?? '';
    const urls = new Map(this.pages().map(({ name, file }) => [file, served(urlOf(name))]));
    return renderPage(safe, this.document, { url: served(urlOf(page.name)), file: page.file, urls });
  }

  /** The last heading scrolled to the upper part of the window. */
  private headingInView(ids: readonly string[]): string | null {
    let reached = ids[0] ?? null;
    for (const id of ids) {
      const top = this.document.getElementById(id)?.getBoundingClientRect().top;
      if (top === undefined || top > 140) break;
      reached = id;
    }
    return reached;
  }
}
