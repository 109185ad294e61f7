import { serveWork } from '../../core/threads/index.js';
import { matchTexts } from './match-texts.js';

serveWork({ matchTexts });
