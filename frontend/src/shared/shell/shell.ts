import { Component } from '@angular/core';
import { RouterOutlet } from '@angular/router';
import { ToastOutlet } from '../ui/toaster';

@Component({
  selector: 'sw-root',
  imports: [RouterOutlet, ToastOutlet],
  template: '<router-outlet /><sw-toast-outlet />',
})
export class Shell {}
