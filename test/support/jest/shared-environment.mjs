import { TestEnvironment } from 'jest-environment-node';

/** State of Jest for one spec file, in the global object. */
const JEST_STATE = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/**
 * Runs spec files in the global object of Node, so that they can share the modules of `SharedRuntime`. Mocks, fake timers,
 * environment variables and the console end with a file.
 */
export default class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = this.fakeTimersOf(config.projectConfig);
    this.console = Object.getOwnPropertyDescriptor(globalThis, 'console');
    this.exit = process.exit;
    this.variables = { ...process.env };
  }

  /** As in an environment with an own global object, Node's own clocks run on. */
  fakeTimersOf(config) {
    // For globalThis itself, Jest would also fake node:timers/promises.
    const global = new Proxy(globalThis, { get: (target, key) => target[key] });
    const timers = new this.fakeTimersModern.constructor({ config, global });
    const useFakeTimers = timers.useFakeTimers.bind(timers);
    // Node's streams use the nextTick of this process.
    timers.useFakeTimers = ({ doNotFake = [], ...options } = {}) =>
      useFakeTimers({ ...options, doNotFake: [...doNotFake, 'nextTick'] });
    return timers;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    // Other properties are of packages, such as class-validator's decorators.
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (JEST_STATE.has(key.description)) Reflect.deleteProperty(globalThis, key);
    }
    Object.defineProperty(globalThis, 'console', this.console);
  }
}
