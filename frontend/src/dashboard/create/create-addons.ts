import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  type OnInit,
  signal,
} from '@angular/core';
import type { FieldTree } from '@angular/forms/signals';
import type { CatalogEntryDto, ConfigProblemDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { isKiali, KIALI_NOTICE, versionText } from '../addon-model/addon-labels';
import { ConfigEditor } from '../editor/config-editor';
import type { CreateError } from './create-errors';
import { type AddonModel, NODE_IMAGE_TAG } from './create-model';

/** Selects addons from the catalog, which is loaded when the section is opened. */
@Component({
  selector: 'sw-create-addons',
  imports: [ConfigEditor, UI],
  templateUrl: './create-addons.html',
  styleUrl: './create-addons.scss',
  host: { '(keydown.escape)': 'onEscape($event)' },
})
export class CreateAddons implements OnInit {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly injector = inject(Injector);

  readonly field = input.required<FieldTree<AddonModel[]>>();
  /** Node image tag, which determines the Kubernetes version. */
  readonly tag = input.required<string>();

  protected readonly open = signal(false);
  /** Name of the entry whose values are shown. */
  protected readonly editing = signal<string | null>(null);
  protected readonly chosen = computed(() => this.field()().value());
  private readonly kubernetes = computed(() => {
    const tag = this.tag().trim();
    return NODE_IMAGE_TAG.test(tag) ? tag : null;
  });
  protected readonly catalog = apiResource('/api/v1/addons', () =>
    this.open() ? { kubernetes: this.kubernetes() ?? undefined } : undefined,
  );
  protected readonly entries = this.catalog.value;
  protected readonly fitText = computed(() => {
    const [entries, version] = [this.entries() ?? [], this.kubernetes()?.split('@')[0]];
    const unfit = entries.filter((entry) => entry.unfit !== null).length;
    if (version === undefined || entries.length === 0) return '';
    return unfit === 0
      ? $localize`All ${entries.length}:count: addons support Kubernetes ${version}:version:.`
      : plural(unfit, (n) => ({
          one: $localize`${n}:count: addon may not support Kubernetes ${version}:version:.`,
          other: $localize`${n}:count: addons may not support Kubernetes ${version}:version:.`,
        }));
  });
  protected readonly versionOf = versionText;
  protected readonly kialiNotice = KIALI_NOTICE;
  protected readonly isKiali = ({ chart, name }: CatalogEntryDto): boolean => isKiali({ chart, addon: name });

  ngOnInit(): void {
    this.open.set(this.chosen().length > 0);
  }

  /** Esc in the editor must not close the dialog. */
  protected onEscape(event: Event): void {
    if ((event.target as Element).closest('.cm-editor')) event.stopPropagation();
  }

  goTo(index: number | undefined, part: string | undefined): void {
    const name = this.chosen()[index ?? -1]?.addon;
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
  }

  protected indexOf(name: string): number {
    return this.chosen().findIndex(({ addon }) => addon === name);
  }

  protected add(entries: readonly CatalogEntryDto[]): void {
    const added = entries.filter(({ name }) => this.indexOf(name) < 0);
    this.update((chosen) => [...chosen, ...added.map(({ name }) => ({ addon: name, values: null }))]);
  }

  protected toggle(entry: CatalogEntryDto, wanted: boolean): void {
    if (wanted) {
      this.add([entry]);
      return;
    }
    if (this.editing() === entry.name) this.editing.set(null);
    this.update((chosen) => chosen.filter(({ addon }) => addon !== entry.name));
  }

  protected valuesOf({ name, values }: CatalogEntryDto): string {
    return this.chosen()[this.indexOf(name)]?.values ?? values;
  }

  protected isCustomized({ name }: CatalogEntryDto): boolean {
    return (this.chosen()[this.indexOf(name)]?.values ?? null) !== null;
  }

  /** Unchanged values are not sent: the catalog may have newer ones at installation. */
  protected setValues({ name, values }: CatalogEntryDto, text: string): void {
    const custom = text === values ? null : text;
    if (this.chosen()[this.indexOf(name)]?.values === custom) return;
    this.update((chosen) =>
      chosen.map((entry) => (entry.addon === name ? { ...entry, values: custom } : entry)),
    );
  }

  protected missing({ needs }: CatalogEntryDto): CatalogEntryDto[] {
    return (this.entries() ?? []).filter(({ name }) => needs.includes(name) && this.indexOf(name) < 0);
  }

  protected titlesOf(entries: readonly CatalogEntryDto[]): string {
    return entries.map(({ title }) => title).join('; ');
  }

  protected editorLabel({ title }: CatalogEntryDto): string {
    return $localize`Values of ${title}:addon: (YAML)`;
  }

  protected errorsOf(index: number): CreateError[] {
    return (this.field()[index]?.().errorSummary() ?? []) as CreateError[];
  }

  protected marksOf(index: number): ConfigProblemDto[] {
    return this.errorsOf(index).flatMap(({ line, message }) =>
      line ? [{ path: '', line, column: 1, problem: message }] : [],
    );
  }

  private update(change: (chosen: AddonModel[]) => AddonModel[]): void {
    this.field()().value.update(change);
  }
}
