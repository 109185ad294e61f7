import { expressionHits, type HitsWanted } from './expression-hits';

// What somebody typed as an expression runs here, where it can be stopped, and never where the page is drawn.
addEventListener('message', ({ data }: MessageEvent<HitsWanted>) => postMessage(expressionHits(data)));
postMessage('ready');
