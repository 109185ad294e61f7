import type { ITheme } from '@xterm/xterm';

/** Colors of xterm and the design tokens that they take. Low contrast is corrected by `minimumContrastRatio`. */
const TOKENS: Readonly<Partial<Record<keyof ITheme, string>>> = {
  background: '--sunken',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--sunken',
  selectionBackground: '--selected',
  scrollbarSliderBackground: '--line-strong',
  scrollbarSliderHoverBackground: '--line-control',
  scrollbarSliderActiveBackground: '--line-control',
  black: '--canvas',
  brightBlack: '--text-3',
  red: '--failed-text',
  brightRed: '--failed-glyph',
  green: '--running-text',
  brightGreen: '--running-glyph',
  yellow: '--degraded-text',
  brightYellow: '--degraded-glyph',
  blue: '--paused-text',
  brightBlue: '--paused-glyph',
  magenta: '--demo-text',
  brightMagenta: '--demo-glyph',
  cyan: '--creating-text',
  brightCyan: '--creating-glyph',
  white: '--text-2',
  brightWhite: '--text',
};

/** The theme in the current colors of an element. */
export function terminalTheme(element: HTMLElement): ITheme {
  const probe = element.ownerDocument.createElement('span');
  element.append(probe);
  const theme = Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => {
      probe.style.color = `var(${token})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return theme;
}
