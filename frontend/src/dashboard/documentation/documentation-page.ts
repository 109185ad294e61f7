import { Component } from '@angular/core';

@Component({
  selector: 'sw-documentation-page',
  template: `<div class="page"><h1>Documentation</h1></div>`,
})
export class DocumentationPage {}
