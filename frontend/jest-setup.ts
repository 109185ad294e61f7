import '@angular/localize/init';
import { beforeEach } from '@jest/globals';
import { setupZonelessTestEnv } from 'jest-preset-angular/setup-env/zoneless';

setupZonelessTestEnv();

// Tests of a file share a window.
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
