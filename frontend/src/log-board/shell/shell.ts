import { Component } from '@angular/core';
import { RouterOutlet } from '@angular/router';

/** What every page stands in, the sign-in too. */
@Component({ selector: 'sw-root', imports: [RouterOutlet], template: '<router-outlet />' })
export class Shell {}
