import { bootstrapApplication } from '@angular/platform-browser';
import { TitleStrategy } from '@angular/router';
import { applicationOf } from '../shared/application';
import { Shell } from '../shared/shell/shell';
import { routes } from './routes';
import { ProblemTitle } from './shell/problem-title';

const application = applicationOf({
  routes,
  palette: () => import('./palette/palette-dialog').then((file) => file.PaletteDialog),
  shortcuts: () => import('./shell/shortcut-groups').then((file) => file.SHORTCUT_GROUPS),
});

await bootstrapApplication(Shell, {
  providers: [...application.providers, { provide: TitleStrategy, useClass: ProblemTitle }],
});
