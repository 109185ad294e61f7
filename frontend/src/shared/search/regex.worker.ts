import { regexHits, type RegexRequest } from './regex-hits';

// Runs user input as a regex, which may take forever: a worker can be terminated.
addEventListener('message', ({ data }: MessageEvent<RegexRequest>) => postMessage(regexHits(data)));
postMessage('ready');
