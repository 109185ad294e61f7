import { Component } from '@angular/core';

@Component({
  selector: 'sw-cluster-page',
  template: `<div class="page"><h1>Cluster</h1></div>`,
})
export class ClusterPage {}
