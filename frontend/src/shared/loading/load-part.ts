const PAUSES_MS = [200, 800, 2000];

/**
 * Loads a lazy part of the application, with retries: browsers cancel requests when a network interface is
 * added, which happens with every new cluster. @throws the error of the last attempt
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
