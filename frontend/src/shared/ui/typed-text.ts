import { linkedSignal, type WritableSignal } from '@angular/core';

/** A text that is synchronized with the URL, which has it trimmed. Browser history navigation changes it. */
export function typedText(inUrl: () => string): WritableSignal<string> {
  return linkedSignal<string, string>({
    source: inUrl,
    computation: (text, typed) => (typed?.value.trim() === text ? typed.value : text),
  });
}
