import { DIALOG_DATA } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';

@Component({ selector: 'sw-job-screen-dialog', template: `<h1 id="job-screen-title">Job {{ id }}</h1>` })
export class JobScreenDialog {
  protected readonly id = inject<number>(DIALOG_DATA);
}
