import { Component, computed, input } from '@angular/core';

/** 16 × 16 px, with strokes of 1.5 px in the text color. */
const PATHS = {
  adopted: 'M6.5 3H3v10h3.5M13.2 8H6.6M9 5.6 6.6 8 9 10.4',
  'arrow-down': 'M8 3.2v9.4M4.4 9 8 12.6 11.6 9',
  'arrow-up': 'M8 12.8V3.4M4.4 7 8 3.4 11.6 7',
  'arrow-right': 'M3 8h9.6M9 4.4 12.6 8 9 11.6',
  bookmark: 'M4.4 2.6h7.2v10.8L8 10.6l-3.6 2.8z',
  book: 'M8 4.2C6.6 3.2 4.8 3 2.6 3.2v9.2c2.2-.2 4 0 5.4 1 1.4-1 3.2-1.2 5.4-1V3.2C11.2 3 9.4 3.2 8 4.2zM8 4.2v9.2',
  box: 'M8 2 13.4 5v6L8 14l-5.4-3V5zM2.6 5 8 8l5.4-3M8 8v6',
  braces:
    'M6.2 2.6c-1.6 0-2 .7-2 2v1.6c0 1-.5 1.6-1.5 1.8 1 .2 1.5.8 1.5 1.8v1.6c0 1.3.4 2 2 2M9.8 2.6c1.6 0 2 .7 2 2v1.6c0 1 .5 1.6 1.5 1.8-1 .2-1.5.8-1.5 1.8v1.6c0 1.3-.4 2-2 2',
  calendar:
    'M3.4 3.6h9.2a.8.8 0 0 1 .8.8v8a.8.8 0 0 1-.8.8H3.4a.8.8 0 0 1-.8-.8v-8a.8.8 0 0 1 .8-.8zM2.6 6.6h10.8M5.4 2.2v2.6M10.6 2.2v2.6',
  check: 'm3.2 8.4 3.2 3.4 6.4-7.4',
  'chevron-down': 'm4 6 4 4 4-4',
  'chevron-left': 'm10 4-4 4 4 4',
  'chevron-right': 'm6 4 4 4-4 4',
  clock: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4zM8 5v3.2l2 1.2',
  columns: 'M3.2 3h9.6a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3.2a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM6.1 3v10M9.9 3v10',
  copy: 'M7 5.8h4.8A1.2 1.2 0 0 1 13 7v4.8a1.2 1.2 0 0 1-1.2 1.2H7a1.2 1.2 0 0 1-1.2-1.2V7A1.2 1.2 0 0 1 7 5.8zM3 10.2V4a1 1 0 0 1 1-1h6.2',
  database:
    'M8 2.4c2.8 0 5 .8 5 1.9S10.8 6.2 8 6.2s-5-.8-5-1.9 2.2-1.9 5-1.9zM3 4.3v7.4c0 1.1 2.2 1.9 5 1.9s5-.8 5-1.9V4.3M3 8c0 1.1 2.2 1.9 5 1.9S13 9.1 13 8',
  docker: 'M2 8.4h3.2v3.2H2zM6.4 8.4h3.2v3.2H6.4zM10.8 8.4H14v3.2h-3.2zM6.4 4h3.2v3.2H6.4z',
  dots: 'M3.2 8h.6M7.7 8h.6M12.2 8h.6',
  download: 'M8 2.5v7.6M4.6 6.9 8 10.3l3.4-3.4M3 13.4h10',
  external: 'M9.5 3H13v3.5M13 3 7.6 8.4M11.5 9.6V13H3V4.5h3.4',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.1a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z',
  'eye-off':
    'M3 3l10 10M6.2 4A6 6 0 0 1 8 3.8c4 0 6.2 4.2 6.2 4.2a10 10 0 0 1-1.9 2.4M4.2 5.2A10 10 0 0 0 1.8 8S4 12.2 8 12.2a6 6 0 0 0 2.7-.6',
  filter: 'M2.6 3.4h10.8L9.5 8.4v4.2l-3-1.6V8.4z',
  info: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4zM8 7.4v3.4M8 5.2v.1',
  key: 'M5.2 8.2a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2zM7.1 8.9 13 3M10.4 5.6l1.9 1.9',
  layers: 'm8 2.4 5.8 3L8 8.4l-5.8-3zM2.2 8.4 8 11.4l5.8-3M2.2 11 8 14l5.8-3',
  link: 'm6.6 9.4 2.8-2.8M7.4 4.8l1-1a2.7 2.7 0 0 1 3.8 3.8l-1 1M8.6 11.2l-1 1a2.7 2.7 0 0 1-3.8-3.8l1-1',
  logs: 'M3.2 2.4h9.6a1 1 0 0 1 1 1v9.2a1 1 0 0 1-1 1H3.2a1 1 0 0 1-1-1V3.4a1 1 0 0 1 1-1zM5 5.6h.1M7.4 5.6H11M5 8h.1M7.4 8h2M5 10.4h.1M7.4 10.4H11',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  minus: 'M3 8h10',
  moon: 'M13 9.4A5.4 5.4 0 0 1 6.6 3 5.4 5.4 0 1 0 13 9.4z',
  not: 'M8 2.6a5.4 5.4 0 1 1 0 10.8A5.4 5.4 0 0 1 8 2.6zM4.3 11.7l7.4-7.4',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.4v9.2L12.4 8z',
  plus: 'M8 3v10M3 8h10',
  podman:
    'M5 8.3a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6zM11 8.3a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6zM8 2.9a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6z',
  pulse: 'M1.8 8h3l1.7-4.4 3 8.8L11.2 8h3',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.4v2.8h-2.8',
  screen: 'M3.2 3h9.6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3.2a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM6 13.5h4',
  search: 'M7 2.75a4.25 4.25 0 1 1 0 8.5 4.25 4.25 0 0 1 0-8.5zM10.2 10.2l3.3 3.3',
  'sign-out': 'M9.5 3H4a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h5.5M6.8 8H14M11.2 5.2 14 8l-2.8 2.8',
  star: 'm8 2.2 1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4-2.9-2.8 4-.6z',
  stop: 'M5 4h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1',
  terminal:
    'M3.2 3h9.6a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3.2a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM5 6.2 7 8 5 9.8M8.4 10h2.6',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.6 4.5l.6 8.5h5.6l.6-8.5',
  warning: 'M8 2.6 14 13H2zM8 6.6v2.9M8 11.3v.1',
  x: 'm4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6',
} as const;

export type IconName = keyof typeof PATHS;

@Component({
  selector: 'sw-icon',
  template: `<svg viewBox="0 0 16 16" [attr.width]="size()" [attr.height]="size()">
    <path [attr.d]="path()" />
  </svg>`,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
    }
    svg {
      fill: var(--icon-fill, none);
      stroke: currentColor;
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `,
  host: { 'aria-hidden': 'true' },
})
export class Icon {
  readonly name = input.required<IconName>();
  /** Pixels. */
  readonly size = input(16);
  protected readonly path = computed(() => PATHS[this.name()]);
}

export function engineIcon(runtime: string): IconName {
  return runtime === 'docker' || runtime === 'podman' ? runtime : 'box';
}
