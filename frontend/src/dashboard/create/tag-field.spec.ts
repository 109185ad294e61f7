import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { form, FormField } from '@angular/forms/signals';
import { describe, expect, it } from '@jest/globals';
import type { VersionsDto } from '../../shared/api/api-types';
import { TagField } from './tag-field';

const VERSIONS: VersionsDto = {
  default_tag: 'v1.34.4',
  provisioner: 'kind',
  provisioner_version: '0.33.0',
  registry: { repository: 'docker.io/kindest/node', state: 'reached', reason: null, read_at: null },
  tags: ['v1.34.4', 'v1.37.0'].map((tag) => ({
    tag,
    image: `docker.io/kindest/node:${tag}`,
    origin: 'kind',
    present_in: [],
    size_bytes: null,
    fits: 'likely',
    fits_reason: null,
  })),
};

@Component({
  imports: [FormField, TagField],
  template: `<sw-tag-field [formField]="form.tag" [versions]="versions" runtime="docker" />`,
})
class Host {
  readonly versions = VERSIONS;
  readonly form = form(signal({ tag: '' }));
}

describe('TagField', () => {
  it('suggests tags and writes the chosen or typed one to the form', async () => {
    const fixture = TestBed.createComponent(Host);
    const root = fixture.nativeElement as HTMLElement;
    document.body.append(root);
    await fixture.whenStable();
    const settle = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    };
    const input = root.querySelector('input');
    input?.click();
    await settle();
    await settle();
    const options = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
    expect(input?.getAttribute('role')).toBe('combobox');
    expect(options().map((option) => option.textContent.trim())).toEqual(['v1.34.4', 'v1.37.0']);
    options()[1]?.click();
    await settle();
    expect(fixture.componentInstance.form.tag().value()).toBe('v1.37.0');
    expect(input?.value).toBe('v1.37.0');
    expect(options()).toEqual([]);
    if (input) input.value = 'v1.2.3';
    input?.dispatchEvent(new Event('input', { bubbles: true }));
    await settle();
    expect(fixture.componentInstance.form.tag().value()).toBe('v1.2.3');
  });
});
