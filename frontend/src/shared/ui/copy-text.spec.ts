import { afterEach, describe, expect, it } from '@jest/globals';
import { copyText } from './copy-text';

describe('copying a text', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
    Reflect.deleteProperty(document, 'execCommand');
    document.body.replaceChildren();
  });

  it('uses the clipboard where there is one', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    await copyText('one');
    expect(copied).toEqual(['one']);
  });

  it('selects the text and copies that where there is none, and gives the focus back', async () => {
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

  it('says why it cannot', async () => {
    await expect(copyText('one')).rejects.toThrow('over HTTPS or on localhost only');
    Object.defineProperty(document, 'execCommand', { value: () => false, configurable: true });
    await expect(copyText('one')).rejects.toThrow('copy it.');
    expect(document.querySelector('textarea')).toBeNull();
  });
});
