import { serveWork } from '../../core/work/index.js';
import { matchTexts } from './match-texts.js';

serveWork({ matchTexts });
