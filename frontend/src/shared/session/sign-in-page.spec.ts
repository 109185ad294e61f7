import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { provideHttpClient } from '@angular/common/http';
import { provideHttpClientTesting } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { PAGE_SESSION } from './page-session';
import { SignInPage } from './sign-in-page';

describe('SignInPage', () => {
  // It reloads after a second.
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('says that Slipway looks for engines instead of asking for a password, until they are found', () => {
    TestBed.configureTestingModule({
      providers: [
        provideHttpClient(),
        provideHttpClientTesting(),
        { provide: PAGE_SESSION, useValue: 'looking' },
      ],
    });
    const fixture = TestBed.createComponent(SignInPage);
    fixture.detectChanges();
    const page = fixture.nativeElement as HTMLElement;
    expect(page.querySelector('h1')?.textContent).toBe('Looking for engines');
    expect(page.querySelector('[role=status]')?.textContent).toContain('depends on where they run');
    expect(page.querySelector('sw-sign-in-form')).toBeNull();
  });
});
