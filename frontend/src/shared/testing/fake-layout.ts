import { jest } from '@jest/globals';

class FakeResizeObserver {
  observe(): void {
    // Nothing is resized.
  }

  disconnect(): void {
    // Nothing was observed.
  }
}

/** Gives every element a size, and adds the layout APIs that jsdom lacks. `jest.restoreAllMocks()` removes the sizes. */
export function fakeLayout(width: number, height: number): void {
  globalThis.ResizeObserver = FakeResizeObserver as unknown as typeof ResizeObserver;
  Element.prototype.scrollIntoView = () => undefined;
  globalThis.matchMedia = () => ({ matches: false }) as MediaQueryList;
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height);
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
}
