import { afterEach, describe, expect, it } from '@jest/globals';
import { copyText } from './copy-text';

describe('copyText', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
    Reflect.deleteProperty(document, 'execCommand');
    document.body.replaceChildren();
  });

  it('uses the clipboard API if available', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    await copyText('one');
    expect(copied).toEqual(['one']);
  });

  it('selects and copies the text otherwise, and restores the focus', async () => {
    const selected: (string | undefined)[] = [];
    Object.defineProperty(document, 'execCommand', {
      value: (command: string) => {
        const field = document.activeElement as HTMLTextAreaElement;
        selected.push(command, field.value.slice(field.selectionStart, field.selectionEnd));
        return true;
      },
      configurable: true,
    });
    const button = document.createElement('button');
    document.body.append(button);
    button.focus();
    await copyText('one\ntwo');
    expect(selected).toEqual(['copy', 'one\ntwo']);
    expect([document.activeElement, document.querySelector('textarea')]).toEqual([button, null]);
  });

  it('reports why it failed', async () => {
    await expect(copyText('one')).rejects.toThrow('over HTTPS or on localhost only');
    Object.defineProperty(document, 'execCommand', { value: () => false, configurable: true });
    await expect(copyText('one')).rejects.toThrow('copy it.');
    expect(document.querySelector('textarea')).toBeNull();
  });
});
