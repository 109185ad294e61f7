import { Component, computed, input } from '@angular/core';
import type { ClusterPortDto } from '../../shared/api/api-types';
import { portText } from '../../shared/format/format';

/** Addresses that stand for all of the host. */
const ANY = ['', '0.0.0.0', '::'];
/** 443 and the ports that are used instead of it, such as 8443. */
const HTTPS = /443$/;

interface PortLink {
  /** `8080 → 80` */
  text: string;
  title: string;
  /** Null for a port that no browser opens. */
  url: string | null;
}

/** The published ports of a cluster as links, in order; a dash without any. */
@Component({
  selector: 'sw-port-links',
  template: `
    @for (port of shown(); track $index) {
      @if (port.url; as url) {
        <a
          class="nowrap"
          target="_blank"
          rel="noopener"
          [href]="url"
          [title]="port.title"
          [attr.tabindex]="tabStop() ? null : -1"
          >{{ port.text }}</a
        >
      } @else {
        <span class="nowrap" [title]="port.title">{{ port.text }}</span>
      }
    } @empty {
      <span class="muted">–</span>
    }
    @if (hidden(); as hidden) {
      <span i18n class="muted nowrap" [title]="hiddenTitle()">{{ hidden }} more</span>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      gap: 0 10px;
    }
    /* As high as a touch target. */
    a,
    span {
      display: inline-block;
      line-height: 24px;
    }
  `,
})
export class PortLinks {
  readonly ports = input.required<readonly ClusterPortDto[]>();
  /** Further ones are counted. */
  readonly most = input(Infinity);
  readonly tabStop = input(true);
  private readonly links = computed(() => portLinks(this.ports(), window.location.hostname));
  protected readonly shown = computed(() =>
    // One more takes no more room than its count.
    this.links().length <= this.most() ? this.links() : this.links().slice(0, this.most() - 1),
  );
  protected readonly hidden = computed(() => this.links().length - this.shown().length);
  protected readonly hiddenTitle = computed(() =>
    this.links()
      .slice(this.shown().length)
      .map(({ title }) => title)
      .join('\n'),
  );
}

/** By host port. @param host that the page was opened with */
export function portLinks(ports: readonly ClusterPortDto[], host: string): PortLink[] {
  return [...ports]
    .sort((one, other) => one.host_port - other.host_port || one.protocol.localeCompare(other.protocol))
    .map((port) => {
      const { listen_address: address, host_port, container_port, protocol } = port;
      const name = ANY.includes(address) ? host : address.includes(':') ? `[${address}]` : address;
      const scheme = HTTPS.test(String(container_port)) ? 'https' : 'http';
      return {
        text: portText(port),
        title: $localize`${address}:address:, port ${host_port}:host: of the host leads to ${protocol}:protocol: port ${container_port}:node: of the node`,
        url: protocol === 'TCP' ? `${scheme}://${name}:${host_port}/` : null,
      };
    });
}
