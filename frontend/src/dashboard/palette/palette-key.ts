/** On Apple's keyboards it is ⌘ that commands; Ctrl K there deletes to the end of a line. */
export function commandKey(platform = navigator.platform): 'Ctrl' | '⌘' {
  return /^(Mac|iP)/.test(platform) ? '⌘' : 'Ctrl';
}

export function opensPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const commanded = commandKey() === '⌘' ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return commanded && !altKey && !shiftKey && key.toLowerCase() === 'k';
}
