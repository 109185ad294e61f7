import { bootstrapApplication } from '@angular/platform-browser';
import { TitleStrategy } from '@angular/router';
import { applicationOf } from '../shared/application';
import { LiveConnection } from '../shared/live/live-connection';
import { serverProviders } from '../shared/live/server-connection';
import { Shell } from '../shared/shell/shell';
import { routes } from './routes';
import { ProblemTitle } from './shell/problem-title';

const application = applicationOf({
  routes,
  palette: () => import('./palette/palette-dialog').then((file) => file.PaletteDialog),
  shortcuts: () => import('./shell/shortcut-groups').then((file) => file.SHORTCUT_GROUPS),
});

await bootstrapApplication(Shell, {
  providers: [
    ...application.providers,
    serverProviders(LiveConnection, '/api/v1/health'),
    { provide: TitleStrategy, useClass: ProblemTitle },
  ],
});
