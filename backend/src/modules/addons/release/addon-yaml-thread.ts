import { serveWork } from '../../../core/threads/index.js';
import { splitManifest } from './split-manifest.js';
import { preparedValues, shownKialiValues } from '../values/kiali-values.js';

serveWork({ preparedValues, shownKialiValues, splitManifest });
