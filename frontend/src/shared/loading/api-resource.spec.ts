import { afterEach, describe, expect, it } from '@jest/globals';
import { provideHttpClient, withInterceptors } from '@angular/common/http';
import {
  HttpTestingController,
  provideHttpClientTesting,
  type TestRequest,
} from '@angular/common/http/testing';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { apiProblems } from '../api/api-problem';
import { PageVisibility } from '../browser/page-visibility';
import { ServerPresence } from '../browser/server-presence';
import { apiResource } from './api-resource';

describe('ApiResource', () => {
  const name = signal('redis');
  const visible = signal(true);

  /** The only open request. */
  function request(): TestRequest {
    TestBed.tick();
    return TestBed.inject(HttpTestingController).expectOne(() => true);
  }

  function read(): ReturnType<typeof apiResource<'/api/fields', { name: string }>> {
    name.set('redis');
    visible.set(true);
    TestBed.configureTestingModule({
      providers: [
        provideHttpClient(withInterceptors([apiProblems])),
        provideHttpClientTesting(),
        { provide: PageVisibility, useValue: { visible } },
      ],
    });
    return TestBed.runInInjectionContext(() =>
      apiResource('/api/fields', () => ({ name: name() }), { refresh: {} }),
    );
  }

  const response = (without: number): object => ({
    name: name(),
    examined: 9,
    without,
    values: [],
    others: 0,
  });

  afterEach(() => TestBed.inject(HttpTestingController).verify());

  it('loads again what failed for want of a response when the server is back', async () => {
    const fields = read();
    const { lastSeen } = TestBed.inject(ServerPresence);
    request().error(new ProgressEvent('error'));
    lastSeen.set(1);
    await settled();
    expect(fields.problem()?.code).toBe('offline');
    lastSeen.set(null);
    TestBed.tick();
    request().flush(response(1));
    await settled();
    expect(fields.current()?.without).toBe(1);
  });

  it('aborts the old request when a parameter changes, and keeps the last value meanwhile', async () => {
    const fields = read();
    request().flush(response(1));
    await settled();
    expect(fields.current()?.without).toBe(1);
    name.set('postgres');
    const old = request();
    expect(fields.value()?.without).toBe(1);
    expect(fields.current()).toBeNull();
    name.set('kafka');
    const present = request();
    expect(old.cancelled).toBe(true);
    present.flush(response(2));
    await settled();
    expect(fields.current()?.without).toBe(2);
  });

  it('keeps the value of a failed load, and loads again when the tab becomes visible', async () => {
    const fields = read();
    request().flush(response(1));
    await settled();
    expect(fields.value()?.without).toBe(1);
    visible.set(false);
    TestBed.tick();
    visible.set(true);
    TestBed.tick();
    request().error(new ProgressEvent('error'));
    await settled();
    expect([fields.value()?.without, fields.problem()?.code]).toEqual([1, 'offline']);
  });
});

/** Lets the promises of a load settle. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
