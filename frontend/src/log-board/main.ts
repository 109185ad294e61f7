import { bootstrapApplication } from '@angular/platform-browser';
import { appConfig } from './app-config';
import { Shell } from './shell/shell';

await bootstrapApplication(Shell, appConfig);
