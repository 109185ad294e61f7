import type { DialOptions, EngineClient } from './engine-client.js';

/** The client's own way to its transport, as a promise. What it calls back with is typed by who asks. */
export function dial<TAnswer>(client: EngineClient, options: DialOptions): Promise<TAnswer> {
  return new Promise((resolve, reject) => {
    client.modem.dial(options, (error, answer) => {
      if (error) reject(error);
      else resolve(answer as TAnswer);
    });
  });
}
