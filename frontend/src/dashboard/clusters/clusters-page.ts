import { Component } from '@angular/core';

@Component({
  selector: 'sw-clusters-page',
  template: `<div class="page"><h1>Clusters</h1></div>`,
})
export class ClustersPage {}
