import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
  type OnInit,
  output,
  resource,
  signal,
} from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { CatalogEntryDto, ConfigProblemDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { Icon } from '../../shared/ui/icon';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { isKiali, KIALI_NOTICE, versionText } from '../addons/addon-labels';
import { AddonsApi } from '../addons/addons-api';
import { ConfigEditor } from '../config/config-editor';
import type { AddonDraft } from './create-draft';
import { type EntryProblem, NODE_IMAGE_TAG } from './create-rules';

/** Addons that the cluster gets once it is ready. Asks for the catalogue when it is opened. */
@Component({
  selector: 'sw-create-addons',
  imports: [ConfigEditor, Icon, SkeletonRows],
  templateUrl: './create-addons.html',
  styleUrl: './create-addons.scss',
  host: { '(keydown.escape)': 'escape($event)' },
})
export class CreateAddons implements OnInit {
  private readonly api = inject(AddonsApi);
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly injector = inject(Injector);

  readonly chosen = input.required<readonly AddonDraft[]>();
  /** Of the node image: entries are to fit its Kubernetes. */
  readonly tag = input.required<string>();
  readonly complaints = input.required<readonly EntryProblem[]>();
  readonly changed = output<AddonDraft[]>();

  protected readonly open = signal(false);
  /** The entry whose values are shown. */
  protected readonly editing = signal<string | null>(null);
  private readonly kubernetes = computed(() => {
    const tag = this.tag().trim();
    return NODE_IMAGE_TAG.test(tag) ? tag : null;
  });
  protected readonly catalogue = resource({
    params: () => (this.open() ? { kubernetes: this.kubernetes() } : undefined),
    loader: ({ params }) => this.api.offered(params.kubernetes),
  });
  /** Those for the version before stay until those for another are there. */
  protected readonly entries = linkedSignal<
    readonly CatalogEntryDto[] | undefined,
    readonly CatalogEntryDto[] | undefined
  >({
    source: () => (this.catalogue.hasValue() ? this.catalogue.value() : undefined),
    computation: (now, before) => now ?? before?.value,
  });
  protected readonly failure = computed(() => {
    const error = this.catalogue.error();
    return error ? ApiProblem.of(error).message : null;
  });
  protected readonly fitText = computed(() => {
    const [entries, version] = [this.entries() ?? [], this.kubernetes()?.split('@')[0]];
    const unfit = entries.filter((entry) => entry.unfit !== null).length;
    if (version === undefined || entries.length === 0) return '';
    return unfit === 0
      ? `All ${entries.length} fit Kubernetes ${version}.`
      : `${plural(unfit, 'entry does', 'entries do')} not fit Kubernetes ${version}.`;
  });
  protected readonly versionOf = versionText;
  protected readonly openKiali = KIALI_NOTICE;
  protected readonly isKiali = ({ chart, name }: CatalogEntryDto): boolean => isKiali({ chart, addon: name });

  ngOnInit(): void {
    this.open.set(this.chosen().length > 0);
  }

  /** In the editor, Esc is its own, and does not close the form: Tab leads out after it. */
  protected escape(event: Event): void {
    if ((event.target as Element).closest('.cm-editor')) event.stopPropagation();
  }

  /** Opens what a problem is about, and puts the focus there. @returns whether it is one of an addon */
  goTo({ field }: EntryProblem): boolean {
    if (!field.startsWith('addons')) return false;
    const [, index, part] = /^addons\[(\d+)\]\.?(\w*)/.exec(field) ?? [];
    const name = this.chosen()[Number(index)]?.name;
    this.open.set(true);
    if (part === 'values' && name !== undefined) this.editing.set(name);
    afterNextRender(
      () => {
        const id = part === 'values' ? `create-values-${name}` : `create-addon-${name}`;
        const target = this.host.querySelector<HTMLElement>(`[id="${id}"]`);
        (target ?? this.host.querySelector('summary'))?.focus();
      },
      { injector: this.injector },
    );
    return true;
  }

  protected isChosen({ name }: CatalogEntryDto): boolean {
    return this.indexOf(name) >= 0;
  }

  protected choose(names: readonly string[]): void {
    const added = names.filter((name) => this.indexOf(name) < 0);
    this.changed.emit([...this.chosen(), ...added.map((name) => ({ name, values: null }))]);
  }

  protected toggle({ name }: CatalogEntryDto, wanted: boolean): void {
    if (wanted) {
      this.choose([name]);
      return;
    }
    if (this.editing() === name) this.editing.set(null);
    this.changed.emit(this.chosen().filter((addon) => addon.name !== name));
  }

  protected edit({ name }: CatalogEntryDto): void {
    this.editing.update((now) => (now === name ? null : name));
  }

  protected valuesOf({ name, values }: CatalogEntryDto): string {
    return this.chosen()[this.indexOf(name)]?.values ?? values;
  }

  protected isChanged({ name }: CatalogEntryDto): boolean {
    return (this.chosen()[this.indexOf(name)]?.values ?? null) !== null;
  }

  /** The catalogue's own text is no choice of anybody's: it may be better in the version that is installed. */
  protected setValues({ name, values }: CatalogEntryDto, text: string): void {
    const own = text === values ? null : text;
    const before = this.chosen()[this.indexOf(name)];
    if (!before || before.values === own) return;
    this.changed.emit(
      this.chosen().map((addon) => (addon.name === name ? { ...addon, values: own } : addon)),
    );
  }

  /** What an entry needs and is not chosen. */
  protected missing({ needs }: CatalogEntryDto): CatalogEntryDto[] {
    return (this.entries() ?? []).filter((other) => needs.includes(other.name) && !this.isChosen(other));
  }

  protected titles(entries: readonly CatalogEntryDto[]): string {
    return entries.map(({ title }) => title).join('; ');
  }

  protected names(entries: readonly CatalogEntryDto[]): string[] {
    return entries.map(({ name }) => name);
  }

  protected complaintsOf({ name }: CatalogEntryDto): EntryProblem[] {
    const index = this.indexOf(name);
    return this.complaints().filter(({ field }) => index >= 0 && field.startsWith(`addons[${index}]`));
  }

  /** For the editor to mark. */
  protected marksOf(entry: CatalogEntryDto): ConfigProblemDto[] {
    return this.complaintsOf(entry).flatMap(({ line, problem }) =>
      line ? [{ path: 'Refused:', line, column: 1, problem }] : [],
    );
  }

  private indexOf(name: string): number {
    return this.chosen().findIndex((addon) => addon.name === name);
  }
}
