import { Ago } from './ago';
import { AriaLabel } from './aria-label';
import { CloseButton } from './close-button';
import { CommandLine } from './command-line';
import { CopyButton } from './copy-button';
import { Field } from './field/field';
import { Icon } from './icon';
import { IconButton } from './icon-button';
import { LoadError } from './load-error';
import { Notice } from './notice';
import { PageLink } from './page-link';
import { Placeholder } from './placeholder';
import { SearchField } from './search-field';
import { SkeletonRows } from './skeleton-rows';
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
  IconButton,
  LoadError,
  Notice,
  PageLink,
  Placeholder,
  SearchField,
  SkeletonRows,
  State,
  UsageBar,
] as const;
