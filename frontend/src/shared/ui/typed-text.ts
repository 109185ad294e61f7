import { linkedSignal, type WritableSignal } from '@angular/core';

/** Text as typed, which the URL follows without spaces around it. Back and forward change it. */
export function typedText(inUrl: () => string): WritableSignal<string> {
  return linkedSignal<string, string>({
    source: inUrl,
    computation: (text, typed) => (typed?.value.trim() === text ? typed.value : text),
  });
}
