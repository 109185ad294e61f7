import { Ago } from './ago';
import { AriaLabel } from './aria-label';
import { CloseButton } from './close-button';
import { CommandLine } from './command-line';
import { CopyButton } from './copy-button';
import { Field } from './field/field';
import { Icon } from './icon';
import { LoadError } from './load-error';
import { Notice } from './notice';
import { Placeholder } from './placeholder';
import { SkeletonRows } from './skeleton-rows';
import { SlashFocus } from './slash-focus';
import { State } from './state';
import { UsageBar } from './usage-bar';

/** The components and directives of most templates, for their `imports`. A bundle contains only those that are used. */
export const UI = [
  Ago,
  AriaLabel,
  CloseButton,
  CommandLine,
  CopyButton,
  Field,
  Icon,
  LoadError,
  Notice,
  Placeholder,
  SkeletonRows,
  SlashFocus,
  State,
  UsageBar,
] as const;
