import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { DomainError, invalidField } from '../../../core/errors/index.js';
import { SealedSecretStore } from '../../../core/secrets/index.js';
import type { RepositoryCredentials } from '../../../drivers/package-manager/index.js';
import { problemOfAddress } from '../../../drivers/registry/index.js';
import { JournalService } from '../../journal/index.js';
import { FROM_CATALOG, REPOSITORY_NAME, UPLOADED } from '../common/addon.js';
import type { AddRepositoryDto, RepositoryDto } from '../common/chart.dto.js';
import { ChartRepositoryStore } from './chart-repository.store.js';

interface OpenRepository {
  name: string;
  url: string;
  credentials?: RepositoryCredentials;
}

const MAX_REPOSITORIES = 50;
const RESERVED_NAMES = [UPLOADED, FROM_CATALOG];

/** Chart repositories. Passwords are stored encrypted and only written to private files for helm. */
@Injectable()
export class RepositoriesService {
  constructor(
    private readonly configuration: Configuration,
    private readonly store: ChartRepositoryStore,
    private readonly secrets: SealedSecretStore,
    private readonly journal: JournalService,
  ) {}

  list(): RepositoryDto[] {
    return this.store.list();
  }

  /** @throws DomainError `invalid_input` for a URL that is not allowed, or a name that is taken. */
  async add({ name, url: given, username, password }: AddRepositoryDto): Promise<RepositoryDto> {
    const url = await this.checkedUrl(given);
    if (RESERVED_NAMES.includes(name)) {
      throw invalidField('name', `${name} is reserved`);
    }
    if ((username === undefined) !== (password === undefined)) {
      throw invalidField('password', 'and username must be set together');
    }
    if (this.store.list().length >= MAX_REPOSITORIES) {
      throw invalidField('name', `cannot be added: ${MAX_REPOSITORIES} repositories is the maximum`);
    }
    const added: RepositoryDto = {
      name,
      url,
      username: username ?? null,
      created_at: new Date().toISOString(),
    };
    if (!this.store.insert(added)) throw invalidField('name', `${name} already exists`);
    if (password !== undefined) this.secrets.put(secretName(name), password);
    this.record(
      `Added chart repository ${name} (${url})${username === undefined ? '' : `, user ${username}`}.`,
    );
    return added;
  }

  /** @throws DomainError `chart_not_found` */
  async remove(name: string): Promise<void> {
    const { username } = this.find(name);
    this.store.remove(name);
    if (username !== null) this.secrets.remove(secretName(name));
    this.record(`Removed chart repository ${name}. Releases installed from it stay.`);
  }

  /** @throws DomainError `chart_not_found` if the repository does not exist. */
  async open(name: string): Promise<OpenRepository> {
    const { url, username } = this.find(name);
    if (username === null) return { name, url };
    const password = this.secrets.get(secretName(name)) ?? '';
    return { name, url, credentials: { username, password } };
  }

  private find(name: string): RepositoryDto {
    const found = REPOSITORY_NAME.test(name) ? this.store.get(name) : undefined;
    if (!found) {
      throw new DomainError('chart_not_found', `Chart repository ${name.slice(0, 40)} does not exist.`);
    }
    return found;
  }

  private async checkedUrl(given: string): Promise<string> {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const reject = (problem: string): Error => invalidField('url', problem);
    if (!url || !['https:', 'http:', 'oci:'].includes(url.protocol) || url.host === '') {
      throw reject('must start with https:// or oci://');
    }
    if (url.search !== '' || url.hash !== '') throw reject('must not have a query or a fragment');
    const problem = await problemOfAddress(url, this.configuration.values.chartHosts);
    if (problem !== null) throw reject(problem);
    return url.href.replace(/(?<!\/)\/+$/, '');
  }

  private record(message: string): void {
    this.journal.recordEventually({ kind: 'chart-repository', message });
  }
}

function secretName(name: string): string {
  return `chart-repository:${name}`;
}
