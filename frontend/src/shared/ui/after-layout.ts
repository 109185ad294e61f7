/**
 * Runs once the browser has laid out and painted the page: to measure an element before that takes a layout of its own,
 * 20 to 40 ms while a page opens.
 *
 * @returns cancels it.
 */
export function afterLayout(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
