import { bootstrapApplication } from '@angular/platform-browser';
import { applicationOf } from '../shared/application';
import { serverProviders } from '../shared/live/server-connection';
import { Shell } from '../shared/shell/shell';
import { BoardConnection } from './api/board-connection';
import { routes } from './routes';

const application = applicationOf({
  routes,
  palette: () => import('./palette/palette-dialog').then((file) => file.PaletteDialog),
  shortcuts: () => import('./shell/shortcut-groups').then((file) => file.SHORTCUT_GROUPS),
});

await bootstrapApplication(Shell, {
  providers: [...application.providers, serverProviders(BoardConnection, '/api/health')],
});
