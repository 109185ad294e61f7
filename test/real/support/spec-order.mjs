/** Specs of one engine by their names; `APP_TEST_BACKWARDS` has them begin with the last. */
export default class SpecOrder {
  sort(specs) {
    const sorted = [...specs].sort((one, other) => one.path.localeCompare(other.path));
    return process.env.APP_TEST_BACKWARDS === 'true' ? sorted.reverse() : sorted;
  }

  cacheResults() {
    // Nothing is remembered: the order never depends on an earlier run.
  }
}
