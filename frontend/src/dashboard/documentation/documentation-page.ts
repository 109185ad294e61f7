import { DOCUMENT } from '@angular/common';
import {
  afterRenderEffect,
  Component,
  computed,
  effect,
  inject,
  SecurityContext,
  signal,
  viewChild,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { DomSanitizer } from '@angular/platform-browser';
import { ActivatedRoute, RouterLink } from '@angular/router';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import { Icon } from '../../shared/ui/icon';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { buildReadme, toHtml } from './readme';
import { ReadmeArticle } from './readme-article';

const PAGE = '/documentation';

/** Shows the project's README. */
@Component({
  selector: 'sw-documentation-page',
  imports: [RouterLink, Icon, Placeholder, ReadmeArticle, SkeletonRows],
  templateUrl: './documentation-page.html',
  styleUrl: './documentation-page.scss',
})
export class DocumentationPage {
  private readonly api = inject(Api);
  private readonly document = inject(DOCUMENT);
  private readonly sanitizer = inject(DomSanitizer);
  private readonly fragment = toSignal(inject(ActivatedRoute).fragment);
  private readonly article = viewChild(ReadmeArticle);
  private readonly markdown = signal<string | undefined>(undefined);

  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly readme = computed(() => {
    const markdown = this.markdown();
    if (markdown === undefined) return undefined;
    const safe = this.sanitizer.sanitize(SecurityContext.HTML, toHtml(markdown)) ?? '';
    return buildReadme(safe, this.document, PAGE);
  });
  /** Headings of levels 2 and 3. */
  protected readonly contents = computed(() =>
    (this.readme()?.headings ?? []).filter(({ level }) => level === 2 || level === 3),
  );
  protected readonly current = signal<string | null>(null);

  constructor() {
    void this.load();
    afterRenderEffect(() => {
      const id = this.fragment();
      if (this.readme() && this.article() && id) this.jump(id);
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

  protected async load(): Promise<void> {
    this.problem.set(null);
    try {
      this.markdown.set(await this.api.readme());
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
    }
  }

  private jump(id: string): void {
    const heading = this.document.getElementById(id);
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
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
