/** Sorts specs by name. `APP_TEST_BACKWARDS` reverses the order. */
export default class SpecOrder {
  sort(specs) {
    const sorted = [...specs].sort((one, other) => one.path.localeCompare(other.path));
    return process.env.APP_TEST_BACKWARDS === 'true' ? sorted.reverse() : sorted;
  }

  cacheResults() {
    // The order does not depend on earlier runs.
  }
}
