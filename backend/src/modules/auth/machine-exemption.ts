import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { isLoopbackAddress } from '../../core/security/index.js';
import { RuntimeRegistry, type SurveyedEngine } from '../../drivers/runtime/index.js';

const ASK_WAIT_MS = 1000;

/** `looking`: not yet each engine has been asked where it runs. */
export type ExemptionState = 'exempt' | 'looking' | 'required';

/**
 * Whether this machine allows an exemption from signing in: by the configuration, and because each engine on it is native
 * or on another machine. Others forward the connections of containers to loopback, where they look like the user's own.
 */
@Injectable()
export class MachineExemption {
  /** Which setting requires a password; null without one. */
  private readonly setting: string | null;

  constructor(
    { values }: Configuration,
    private readonly runtimes: RuntimeRegistry,
  ) {
    const settings: [reason: string, applies: boolean][] = [
      [`APP_AUTH is ${values.auth}`, values.auth !== 'auto'],
      [`APP_HOST is ${values.host}, not a loopback address`, !isLoopbackAddress(values.host)],
      ['APP_ALLOWED_HOSTS is set', values.allowedHosts.length > 0],
      ['APP_TRUSTED_PROXIES is set', values.trustedProxies.length > 0],
      ['APP_PUBLIC_URL is set', values.publicUrl !== ''],
      ['APP_LOG_BOARD_PUBLIC_URL is set', values.logBoardPublicUrl !== ''],
    ];
    this.setting = settings.find(([, applies]) => applies)?.[0] ?? null;
  }

  get isConfigured(): boolean {
    return this.setting === null;
  }

  /** Looks for engines. A new one usually responds within the time that a request can wait. */
  async look(): Promise<void> {
    await this.runtimes.survey.settle(ASK_WAIT_MS);
  }

  state(): ExemptionState {
    if (!this.isConfigured || this.obstacle('vm')) return 'required';
    if (!this.runtimes.survey.isComplete()) return 'looking';
    return this.obstacle('unknown') ? 'required' : 'exempt';
  }

  /** Why a password is needed, to complete "because …"; null if it is not. */
  reason(): string | null {
    if (this.setting !== null) return this.setting;
    const vm = this.obstacle('vm');
    if (vm) {
      return `${nameOf(vm)} runs containers in a virtual machine, from which they can connect to this page like your own programs`;
    }
    const unknown = this.obstacle('unknown');
    return (
      unknown && `Slipway does not know where ${nameOf(unknown)} runs containers: ${unknown.reason ?? ''}`
    );
  }

  /** Where the engines run, to complete "No password is needed: … and …". */
  proof(): string {
    const engines = this.runtimes.survey.engines();
    if (engines.length === 0) return 'there is no container engine on this machine';
    const where = engines.some(({ placement }) => placement === 'remote')
      ? 'on this machine itself or on another one'
      : 'natively on this machine';
    return `each container engine (${engines.map(({ address }) => address).join(', ')}) runs ${where}`;
  }

  private obstacle(placement: SurveyedEngine['placement']): SurveyedEngine | null {
    return this.runtimes.survey.engines().find((engine) => engine.placement === placement) ?? null;
  }
}

function nameOf({ source, address }: SurveyedEngine): string {
  return address === '' ? source : `${source} (${address})`;
}
