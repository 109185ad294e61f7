import { serveWork } from '../../core/work/index.js';
import { describeChart } from './describe-chart.js';

serveWork({ describeChart });
