import { Component } from '@angular/core';

@Component({
  selector: 'sw-journal-page',
  template: `<div class="page"><h1>Journal</h1></div>`,
})
export class JournalPage {}
