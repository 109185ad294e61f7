import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { SealedSecrets } from '../../../core/secrets/index.js';
import type { RepositoryCredentials } from '../../../drivers/package-manager/index.js';
import { problemOfAddress } from '../../../drivers/registry/index.js';
import { JournalService } from '../../journal/index.js';
import { REPOSITORY_NAME, UPLOADED } from '../addon.js';
import type { AddRepositoryDto } from '../chart.dto.js';
import { ChartRepositoryStore, type KeptRepository } from './chart-repository.store.js';

/** A place of charts, with what it takes to be let in. */
export interface OpenRepository {
  name: string;
  url: string;
  credentials?: RepositoryCredentials;
}

/** As many as somebody would look through. */
const MAX_REPOSITORIES = 50;
/** Names that mean another place of charts. */
const TAKEN = [UPLOADED, 'catalogue'];

/** Places of charts that somebody added. Passwords are sealed, and leave only for helm's private files. */
@Injectable()
export class RepositoriesService {
  constructor(
    private readonly configuration: Configuration,
    private readonly store: ChartRepositoryStore,
    private readonly secrets: SealedSecrets,
    private readonly journal: JournalService,
  ) {}

  list(): KeptRepository[] {
    return this.store.list();
  }

  /** @throws DomainError `invalid_input` for an address that may not be asked, or a name that is taken. */
  async add({ name, url: given, username, password }: AddRepositoryDto): Promise<KeptRepository> {
    const url = await this.checkedUrl(given);
    if (TAKEN.includes(name)) {
      throw invalidInput([{ field: 'name', problem: `is taken: ${name} is a place of its own` }]);
    }
    if ((username === undefined) !== (password === undefined)) {
      throw invalidInput([{ field: 'password', problem: 'and username are given together, or neither' }]);
    }
    if (this.store.list().length >= MAX_REPOSITORIES) {
      throw invalidInput([
        { field: 'name', problem: `is one too many: ${MAX_REPOSITORIES} repositories are kept at most` },
      ]);
    }
    const kept: KeptRepository = {
      name,
      url,
      username: username ?? null,
      created_at: new Date().toISOString(),
    };
    const taken = invalidInput([
      { field: 'name', problem: `is taken: there is a repository called ${name} already` },
    ]);
    if (this.store.get(name)) throw taken;
    // Opened before: a repository that asks for a password is none without it.
    const sealed = password === undefined ? undefined : await this.secrets.open();
    if (!this.store.insert(kept)) throw taken;
    if (password !== undefined) sealed?.put(secretName(name), password);
    this.tell(
      `Added the chart repository ${name} (${url})${username === undefined ? '' : `, asked as ${username}`}.`,
    );
    return kept;
  }

  /** @throws DomainError `chart_not_found` */
  async remove(name: string): Promise<void> {
    const { username } = this.kept(name);
    this.store.remove(name);
    if (username !== null) (await this.secrets.open()).remove(secretName(name));
    this.tell(`Removed the chart repository ${name}. What was installed from it stays.`);
  }

  /** @throws DomainError `chart_not_found` where there is none of that name. */
  async open(name: string): Promise<OpenRepository> {
    const { url, username } = this.kept(name);
    if (username === null) return { name, url };
    const password = (await this.secrets.open()).get(secretName(name)) ?? '';
    return { name, url, credentials: { username, password } };
  }

  private kept(name: string): KeptRepository {
    const kept = REPOSITORY_NAME.test(name) ? this.store.get(name) : undefined;
    if (!kept) {
      throw new DomainError('chart_not_found', `There is no chart repository called ${name.slice(0, 40)}.`);
    }
    return kept;
  }

  private async checkedUrl(given: string): Promise<string> {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const refuse = (problem: string): Error => invalidInput([{ field: 'url', problem }]);
    if (!url || !['https:', 'http:', 'oci:'].includes(url.protocol) || url.host === '') {
      throw refuse('must be an address that begins with https:// or oci://');
    }
    if (url.search !== '' || url.hash !== '') throw refuse('must have neither a query nor a fragment');
    const problem = await problemOfAddress(url, this.configuration.values.chartHosts);
    if (problem !== null) throw refuse(problem);
    return url.href.replace(/\/+$/, '');
  }

  private tell(message: string): void {
    this.journal.record({
      kind: 'chart-repository',
      runtime: null,
      cluster: null,
      subject: null,
      outcome: 'succeeded',
      message,
      job_id: null,
      duration_ms: null,
    });
  }
}

function secretName(name: string): string {
  return `chart-repository:${name}`;
}
