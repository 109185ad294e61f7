import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { type FieldTree, form, FormField, FormRoot, required } from '@angular/forms/signals';
import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../api/api-problem';
import { Field } from './field';
import { apiSubmission, formError } from './submission';

@Component({
  imports: [Field, FormField, FormRoot],
  template: `
    <form [formRoot]="form">
      <sw-field label="Name" hint="At most 40 characters."><input [formField]="form.name" /></sw-field>
      <sw-field label="Port" [error]="portError()"><input class="port" /></sw-field>
    </form>
  `,
})
class Host {
  response: ApiProblem | null = null;
  readonly portError = signal('');
  readonly form: FieldTree<{ name: string }> = form(
    signal({ name: '' }),
    (path) => {
      required(path.name, { message: 'Name is required.' });
    },
    { submission: apiSubmission(() => this.send(), { title: 'name' }) },
  );

  private async send(): Promise<void> {
    if (this.response) throw this.response;
    await Promise.resolve();
  }
}

describe('Field', () => {
  async function create(): Promise<{ host: Host; root: HTMLElement; submit: () => Promise<void> }> {
    const fixture = TestBed.createComponent(Host);
    const root = fixture.nativeElement as HTMLElement;
    document.body.append(root);
    await fixture.whenStable();
    const submit = async (): Promise<void> => {
      root.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    };
    return { host: fixture.componentInstance, root, submit };
  }

  const describedBy = (root: HTMLElement, control: Element | null): string =>
    root.querySelector(`#${control?.getAttribute('aria-describedby') ?? 'none'}`)?.textContent.trim() ?? '';

  it('connects label and hint with the control', async () => {
    const { root } = await create();
    const input = root.querySelector('input');
    expect(input?.labels?.[0]?.textContent.trim()).toBe('Name');
    expect(describedBy(root, input)).toBe('At most 40 characters.');
    expect(root.querySelector('.port')?.getAttribute('aria-describedby')).toBeNull();
  });

  it('replaces the hint by the error once submitted, and focuses the control', async () => {
    const { root, submit } = await create();
    const input = root.querySelector('input');
    expect(input?.getAttribute('aria-invalid')).toBeNull();
    await submit();
    expect(input?.getAttribute('aria-invalid')).toBe('true');
    expect(describedBy(root, input)).toBe('Name is required.');
    expect(document.activeElement).toBe(input);
  });

  it('shows a field error of the response at its field, and other errors at the form', async () => {
    const { host, root, submit } = await create();
    const input = root.querySelector('input');
    host.form.name().value.set('shop');
    host.response = new ApiProblem('invalid_input', 'Invalid.', 422, [
      { field: 'title', problem: 'already exists', hint: 'choose another' },
    ]);
    await submit();
    expect(describedBy(root, input)).toBe('Already exists. Choose another.');
    expect(formError(host.form)).toBe('');
    host.form.name().value.set('shop-2');
    host.response = new ApiProblem('internal', 'The disk is full.', 500);
    await submit();
    expect(formError(host.form)).toBe('The disk is full.');
    expect(input?.getAttribute('aria-invalid')).toBeNull();
  });

  it('shows an error that is given without a form field', async () => {
    const { host, root } = await create();
    host.portError.set('Port is in use.');
    TestBed.tick();
    expect(describedBy(root, root.querySelector('.port'))).toBe('Port is in use.');
  });
});
