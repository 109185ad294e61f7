import '@angular/localize/init';
import { beforeEach } from '@jest/globals';
import { setupZonelessTestEnv } from 'jest-preset-angular/setup-env/zoneless';

setupZonelessTestEnv();

// Specs of a group share a window.
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
