import { Dialog } from '@angular/cdk/dialog';
import { APP_BASE_HREF, BrowserPlatformLocation, LocationStrategy, PlatformLocation } from '@angular/common';
import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { provideRouter, Router } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PageLocation } from './dialog-history';
import { Dialogs } from './dialogs';

@Component({ template: '' })
class Empty {}

describe('Dialogs', () => {
  let results: unknown[];

  beforeEach(async () => {
    results = [];
    TestBed.configureTestingModule({
      providers: [
        provideRouter([{ path: '**', component: Empty }]),
        { provide: APP_BASE_HREF, useValue: '/' },
        { provide: PlatformLocation, useClass: BrowserPlatformLocation },
        { provide: LocationStrategy, useClass: PageLocation },
      ],
    });
    const router = TestBed.inject(Router);
    router.initialNavigation();
    await router.navigateByUrl('/first');
    await router.navigateByUrl('/page');
  });

  async function open(): Promise<void> {
    void TestBed.inject(Dialogs)
      .open(() => Promise.resolve(Empty), {})
      .then((result) => results.push(result ?? 'dismissed'));
    await pause();
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 60));
  }

  /** A browser reports a step in its history later, the more so on a busy machine. */
  async function eventually(expectation: () => void): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) {
      await pause();
      try {
        expectation();
        return;
      } catch {
        // Not yet.
      }
    }
    expectation();
  }

  function dialogs(): Dialog['openDialogs'] {
    return TestBed.inject(Dialog).openDialogs;
  }

  it('closes the upper dialog with Back, and stays on the page', async () => {
    await open();
    await open();
    history.back();
    await eventually(() => expect([dialogs().length, results]).toEqual([1, ['dismissed']]));
    history.back();
    await eventually(() => expect([dialogs().length, TestBed.inject(Router).url]).toEqual([0, '/page']));
    history.back();
    await eventually(() => expect(TestBed.inject(Router).url).toBe('/first'));
  });

  it('leaves the entry of a closed dialog before it returns the result', async () => {
    await open();
    dialogs()[0]?.close('done');
    await eventually(() => expect(results).toEqual(['done']));
    history.back();
    await eventually(() => expect(TestBed.inject(Router).url).toBe('/first'));
  });

  it('skips the entry of a dialog that closed when the page was left', async () => {
    await open();
    void TestBed.inject(Router).navigateByUrl('/next');
    dialogs()[0]?.close();
    await eventually(() => expect(TestBed.inject(Router).url).toBe('/next'));
    history.back();
    await eventually(() =>
      expect([TestBed.inject(Router).url, location.pathname]).toEqual(['/page', '/page']),
    );
    history.back();
    await eventually(() => expect(TestBed.inject(Router).url).toBe('/first'));
  });
});
