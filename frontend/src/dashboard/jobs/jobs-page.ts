import { Component } from '@angular/core';

@Component({
  selector: 'sw-jobs-page',
  template: `<div class="page"><h1>Jobs</h1></div>`,
})
export class JobsPage {}
