import { bootstrapApplication } from '@angular/platform-browser';
import { applicationOf } from '../shared/application';
import { Shell } from '../shared/shell/shell';
import { routes } from './routes';

await bootstrapApplication(Shell, applicationOf(routes));
