import { Product } from './product.js';

const DELETED_MS = 60_000;

/** The products of one worker: one for each environment, kept for the next test that wants it. */
export class ProductPool {
  private readonly kept = new Map<string, Product>();

  /** @returns a product without clusters; with `fresh`, also without earlier journal entries and jobs */
  async take(environment: Readonly<Record<string, string>>, { fresh }: { fresh: boolean }): Promise<Product> {
    const key = JSON.stringify(environment);
    const known = this.kept.get(key);
    if (known && !fresh && (await isCleared(known))) return known;
    this.kept.delete(key);
    await known?.stop();
    const product = await Product.start(environment);
    this.kept.set(key, product);
    return product;
  }

  async close(): Promise<void> {
    const products = [...this.kept.values()];
    this.kept.clear();
    await Promise.all(products.map((product) => product.stop()));
  }
}

/** Deletes clusters and finished jobs. @returns false if that fails, and a new product is needed */
async function isCleared(product: Product): Promise<boolean> {
  try {
    const clusters = await product.call<{ name: string }[]>('GET', '/clusters');
    const deletions = clusters.map(({ name }) => product.call('DELETE', `/clusters/${name}`));
    const deadline = new Promise<never>((_resolve, reject) => {
      setTimeout(() => {
        reject(new Error('the clusters were not deleted in time'));
      }, DELETED_MS).unref();
    });
    await Promise.race([Promise.all(deletions), deadline]);
    const jobs = await product.call<{ state: string }[]>('GET', '/jobs');
    if (jobs.some(({ state }) => state === 'queued' || state === 'running')) return false;
    await product.call('DELETE', '/jobs');
    return (await product.call<unknown[]>('GET', '/clusters')).length === 0;
  } catch {
    return false;
  }
}
