import { regexHits, type RegexRequest } from './regex-hits';

// What somebody typed as an expression runs here, where it can be stopped, and never where the page is drawn.
addEventListener('message', ({ data }: MessageEvent<RegexRequest>) => postMessage(regexHits(data)));
postMessage('ready');
