import { Pipe, type PipeTransform } from '@angular/core';
import { rawText } from '../format/raw-text';

/** A name or path with its invisible characters as escapes, so that it does not look like another. */
@Pipe({ name: 'swRaw' })
export class Raw implements PipeTransform {
  transform(name: string | null | undefined): string {
    return rawText(name ?? '');
  }
}
