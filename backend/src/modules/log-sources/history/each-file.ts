/** Does it for each, also where the disk refuses one. @throws what the first refusal was */
export function eachFile(files: readonly string[], work: (file: string) => void): void {
  const refusals: unknown[] = [];
  for (const file of files) {
    try {
      work(file);
    } catch (error) {
      refusals.push(error);
    }
  }
  if (refusals.length > 0) throw refusals[0];
}
