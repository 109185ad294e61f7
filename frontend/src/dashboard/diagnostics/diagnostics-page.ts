import { Component } from '@angular/core';

@Component({
  selector: 'sw-diagnostics-page',
  template: `<div class="page"><h1>Diagnostics</h1></div>`,
})
export class DiagnosticsPage {}
