import { serveWork } from '../../../core/work/index.js';
import type { yaml } from './addon-yaml.js';
import { splitManifest } from './split-manifest.js';
import { preparedValues, shownKialiValues } from '../values/kiali-values.js';

serveWork<keyof typeof yaml>({ preparedValues, shownKialiValues, splitManifest });
