/** Has the browser save a file that is already here; fetching it first lets a failure be told as one. */
export function saveFile(content: Blob | string, name: string, type: string): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; to revoke at once stops it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
