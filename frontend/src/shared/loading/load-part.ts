/** Pauses before the second and each further attempt. */
const PAUSES_MS = [200, 800, 2000];

/**
 * Loads a part of the product that comes only when it is needed. Tries again before it gives up: a browser
 * drops the requests that are under way when the machine gets a network, which every new cluster makes.
 * @throws what the last attempt threw
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load();
}
