/** Apple keyboards use ⌘; Ctrl K there deletes to the end of the line. */
export function commandKey(platform = navigator.platform): 'Ctrl' | '⌘' {
  return /^(Mac|iP)/.test(platform) ? '⌘' : 'Ctrl';
}

export function opensPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isCommand = commandKey() === '⌘' ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isCommand && !altKey && !shiftKey && key.toLowerCase() === 'k';
}
