import { InjectionToken, type Provider, type Signal, type Type } from '@angular/core';

/** The socket by which a page hears from its server. */
export interface ServerConnection {
  /** `quiet`: open, but the server is late to answer. `connecting`: also while the tab is hidden. */
  readonly presence: Signal<'connecting' | 'open' | 'quiet' | 'lost'>;
  /** Connects now instead of after the delay: the server is known to respond. */
  reconnect: () => void;
}

export const SERVER_CONNECTION = new InjectionToken<ServerConnection>('SERVER_CONNECTION');
/** The URL of the application's health. */
export const HEALTH_URL = new InjectionToken<string>('HEALTH_URL');

export function serverProviders(connection: Type<ServerConnection>, health: string): Provider {
  return [
    { provide: SERVER_CONNECTION, useExisting: connection },
    { provide: HEALTH_URL, useValue: health },
  ];
}
