import { TestEnvironment } from 'jest-environment-node';

/** What Jest keeps there of one spec file. */
const JEST_STATE = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** The global object of Node itself, as that of the product is; it is afterwards as it was. */
export default class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    // Of another object than this one, Jest leaves node:timers and node:timers/promises as they are.
    const global = new Proxy(globalThis, { get: (target, key) => target[key] });
    const options = { config: config.projectConfig, global };
    const timers = new this.fakeTimersModern.constructor(options);
    const useFakeTimers = timers.useFakeTimers.bind(timers);
    // Streams of Node use the one of this process.
    timers.useFakeTimers = ({ doNotFake = [], ...more } = {}) =>
      useFakeTimers({ ...more, doNotFake: [...doNotFake, 'nextTick'] });
    this.fakeTimersModern = timers;
    this.console = Object.getOwnPropertyDescriptor(globalThis, 'console');
    this.exit = process.exit;
    this.variables = { ...process.env };
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    // Others may be of packages, such as the decorators that class-validator knows.
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (JEST_STATE.has(key.description)) Reflect.deleteProperty(globalThis, key);
    }
    Object.defineProperty(globalThis, 'console', this.console);
  }
}
