import { serveWork } from '../../core/threads/index.js';
import { describeChart } from './describe-chart.js';

serveWork({ describeChart });
