import type { Request, Response } from 'express';

/** The logo, a ramp and a hull, in the colors of the browser's theme. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" role="img" aria-label="Slipway">
  <style>.r { fill: #15262f } .h { fill: #cd5630 } @media (prefers-color-scheme: dark) { .r { fill: #e2eaed } .h { fill: #ee7746 } }</style>
  <path class="r" d="M2 22.3v-15l20 15z"/>
  <path class="h" d="M4.9 6.5 8.5 1.7l11.3 8.4v7.5z"/>
</svg>
`;

export function favicon(_request: Request, response: Response): void {
  // The browser applies this policy to the style element in the image.
  response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.setHeader('cache-control', 'public, max-age=86400');
  response.type('image/svg+xml').send(MARK);
}
