import { Ago } from './ago';
import { AriaLabel } from './aria-label';
import { CloseButton } from './close-button';
import { CommandLine } from './command-line';
import { CopyButton } from './copy-button';
import { DialogFrame } from './dialog-frame';
import { Field } from './field/field';
import { Icon } from './icon';
import { IconButton } from './icon-button';
import { LoadError } from './load-error';
import { LoadNotice } from './load-notice';
import { Notice } from './notice';
import { PageLink } from './page-link';
import { Placeholder } from './placeholder';
import { PlainButton } from './plain-button';
import { Raw } from './raw';
import { SearchField } from './search-field';
import { SkeletonRows } from './skeleton-rows';
import { State } from './state';
import { SubmitButton } from './submit-button';
import { UsageBar } from './usage-bar';
import { Verbatim } from './verbatim';

/** The components and directives of most templates, for their `imports`. A bundle contains only those that are used. */
export const UI = [
  Ago,
  AriaLabel,
  CloseButton,
  CommandLine,
  CopyButton,
  DialogFrame,
  Field,
  Icon,
  IconButton,
  LoadError,
  LoadNotice,
  Notice,
  PageLink,
  Placeholder,
  PlainButton,
  Raw,
  SearchField,
  SkeletonRows,
  State,
  SubmitButton,
  UsageBar,
  Verbatim,
] as const;
