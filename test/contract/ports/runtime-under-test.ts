import type { RuntimeDriver } from '../../../backend/src/drivers/runtime/index.js';

/** A runtime under test. */
export interface RuntimeUnderTest {
  driver: RuntimeDriver;
  /**
   * Creates a cluster with the nodes `<name>-control-plane` and `<name>-worker`. The control plane mounts `hostPath` at
   * /contract, read-only, and has the version of Kubernetes in /kind/version. Its API server has a loopback port.
   */
  makeCluster: (name: string) => Promise<void>;
  hostPath: string;
  /** Repository and reference of a local image. */
  repository: string;
  presentImage: string;
  /** An image that can be pulled, and one that does not exist. */
  pullableImage: string;
  missingImage: string;
  /** A small image of a user, and an unused one that can be removed. */
  builtImage: string;
  spareImage: string;
  /** Creates a container of the spare image. @returns a function that removes it. */
  useSpareImage: () => Promise<() => Promise<unknown>>;
  /** An unused volume. */
  spareVolume: string;
  /** A program for the control plane, and its output. */
  program: { command: string[]; says: RegExp };
  /** The restart policy in the engine's format: `on-failure:1`. */
  restartPolicyOf: (name: string) => Promise<string>;
  stop: () => Promise<void>;
}
