import {
  Component,
  computed,
  DestroyRef,
  effect,
  inject,
  input,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { FileEntryDto, PodContainerDto } from '../../shared/api/api-types';
import { asSentence, formatBytes } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { OfCluster } from '../cluster-context/of-cluster';
import { NoCluster } from '../cluster-context/no-cluster';
import { changesOff } from '../external/external-labels';
import { rightsIn } from '../external/kind-rights';
import { objectPage } from '../resource-model/resource-address';
import { DebugShell } from '../shells/debug-shell';
import { contentUrl, type FileOwner, fileParams } from './file-owner';
import { childOf, normalPath, parentOf, stepsOf } from './file-paths';
import { FileUploads } from './file-uploads';
import { TextFile } from './text-file';

const PODS = { group: 'core', version: 'v1', plural: 'pods' };
/** A debug container shares the processes of its target, and so finds its files. */
const DEBUGGED_ROOT = '/proc/1/root';
/** One per second, until a debug container runs, whose image may have to be pulled. */
const DEBUG_READS = 60;

/** Browses the files of a Pod's containers. The container and the path are in the URL. */
@Component({
  selector: 'sw-files-page',
  imports: [Breadcrumbs, NoCluster, RouterLink, TextFile, UI],
  providers: [FileUploads],
  templateUrl: './files-page.html',
  styleUrl: './files-page.scss',
  host: {
    '(dragover)': 'dragOver($event)',
    '(dragleave)': 'over.set(false)',
    '(drop)': 'drop($event)',
  },
})
export class FilesPage extends OfCluster {
  private readonly router = inject(Router);
  private readonly debugShell = inject(DebugShell);
  private readonly toaster = inject(Toaster);
  protected readonly contentUrl = contentUrl;
  protected readonly uploads = inject(FileUploads);

  /** From the URL. */
  readonly namespace = input.required<string>();
  readonly pod = input.required<string>();
  readonly container = input<string>();
  readonly path = input<string>();
  /** Path of the file that is edited. */
  readonly file = input<string>();

  protected readonly rights = rightsIn(() => ({ key: this.key(), namespaces: [this.namespace()] }));
  protected readonly crumbs = clusterCrumbs(this.name, this.key, () => $localize`Files`);
  protected readonly isDemo = computed(() => this.key()?.runtime === 'demo');
  protected readonly over = signal(false);
  protected readonly debugStarts = signal(false);

  protected readonly podRead = apiResource(
    '/api/v1/clusters/{name}/pods/{namespace}/{pod}/containers',
    () => {
      const key = this.key();
      return key && !this.isDemo() ? { ...key, namespace: this.namespace(), pod: this.pod() } : undefined;
    },
  );
  protected readonly containers = computed(() => this.podRead.value()?.containers);
  private readonly current = computed(() => {
    const all = this.containers() ?? [];
    return all.find(({ name }) => name === this.container()) ?? all.find(isMain) ?? all[0];
  });
  protected readonly of = computed((): FileOwner | undefined => {
    const [key, current] = [this.key(), this.current()];
    return key && current && { key, namespace: this.namespace(), pod: this.pod(), container: current.name };
  });
  protected readonly isRunning = computed(() => this.current()?.running === true);
  protected readonly directory = computed(() =>
    normalPath(this.path() ?? (this.current()?.role === 'ephemeral' ? DEBUGGED_ROOT : '/')),
  );
  protected readonly steps = computed(() => stepsOf(this.directory()));
  protected readonly listing = apiResource('/api/v1/clusters/{name}/pods/{namespace}/{pod}/files', () => {
    const of = this.of();
    return of && this.isRunning() && this.file() === undefined ? fileParams(of, this.directory()) : undefined;
  });
  /** The listing of this directory; undefined while it is read. */
  protected readonly list = computed(() => {
    const list = this.listing.value();
    return list?.path === this.directory() ? list : undefined;
  });
  /** Why the user may not upload files. */
  private readonly whyNot = computed(() =>
    this.mayChange()
      ? this.rights.deniedAction('files', undefined)
      : (this.session.whyNot() ?? changesOff(this.name())),
  );
  protected readonly hasNoTools = computed(() => this.listing.problem()?.code === 'file_tools_missing');
  protected readonly podPage = computed(() => {
    const key = this.key();
    return key && objectPage(key, { ...PODS, namespace: this.namespace(), name: this.pod() });
  });

  protected readonly noTools = $localize`The image has no tools for files`;
  protected readonly cannotList = $localize`Could not list the directory`;
  protected readonly save = $localize`Save the file`;
  protected readonly saveArchive = $localize`Save the directory as a tar archive`;
  private readonly opened = viewChild(TextFile);

  protected readonly formatBytes = formatBytes;
  protected readonly childOf = childOf;
  protected readonly parentOf = parentOf;

  constructor() {
    super();
    inject(DestroyRef).onDestroy(() => this.debugStarts.set(false));
    effect(() => {
      if (!this.mayChange()) return;
      untracked(() => {
        // Others are not read again: that would replace the text that is edited.
        const refused = [this.listing, this.opened()?.read].filter(
          (read) => read?.problem()?.code === 'changes_off',
        );
        for (const read of refused) read?.reload();
      });
    });
  }

  /** Called by the router before it leaves the page. */
  mayLeave(): Promise<boolean> | boolean {
    return this.opened()?.mayLeave() ?? true;
  }

  /** Shows the files of a container through a new debug container, once it runs. */
  protected async debug({ key, ...target }: FileOwner): Promise<void> {
    const known = new Set(this.containers()?.map(({ name }) => name));
    if (!(await this.debugShell.ask(key, target))) return;
    this.debugStarts.set(true);
    for (let read = 0; read < DEBUG_READS && this.debugStarts(); read += 1) {
      this.podRead.reload();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const started = this.containers()?.find(({ name, running }) => running && !known.has(name));
      if (started) {
        this.debugStarts.set(false);
        this.choose(started.name);
      }
    }
    this.debugStarts.set(false);
  }

  protected isDirectory({ type, target }: FileEntryDto): boolean {
    return type === 'directory' || target === 'directory';
  }

  protected isFile({ type, target }: FileEntryDto): boolean {
    return type === 'file' || target === 'file';
  }

  protected choose(container: string): void {
    void this.router.navigate([], { queryParams: { runtime: this.runtime(), container } });
  }

  protected goTo(path: string): void {
    void this.router.navigate([], {
      queryParams: { path: normalPath(path), file: null },
      queryParamsHandling: 'merge',
    });
  }

  protected pick(event: Event): void {
    const field = event.target as HTMLInputElement;
    const files = [...(field.files ?? [])];
    // Lets the same file be chosen again.
    field.value = '';
    void this.upload(files);
  }

  protected dragOver(event: DragEvent): void {
    if (!this.takesFiles(event.dataTransfer?.types.includes('Files'))) return;
    event.preventDefault();
    this.over.set(this.whyNot() === null);
  }

  protected drop(event: DragEvent): void {
    this.over.set(false);
    const files = event.dataTransfer?.files ?? [];
    const reason = this.whyNot();
    if (!this.takesFiles(files.length > 0)) return;
    // The browser would open the file.
    event.preventDefault();
    if (reason === null) void this.upload([...files]);
    else this.toaster.failed($localize`The files were not uploaded.`, asSentence(reason));
  }

  private takesFiles(hasFiles: boolean | undefined): boolean {
    return hasFiles === true && (this.list() !== undefined || this.whyNot() !== null);
  }

  private async upload(files: readonly File[]): Promise<void> {
    const of = this.of();
    if (!of || files.length === 0) return;
    if (await this.uploads.send(of, this.directory(), files)) this.listing.reload();
  }
}

function isMain({ role, running }: PodContainerDto): boolean {
  return role === 'main' && running;
}
