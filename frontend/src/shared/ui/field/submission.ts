import type { WritableSignal } from '@angular/core';
import { submit, type FieldTree, type FormSubmitOptions, type ValidationError } from '@angular/forms/signals';
import { ApiProblem, type PlacedProblem } from '../../api/api-problem';
import { asSentence } from '../../format/format';

type Tree = FieldTree<unknown> & Readonly<Record<string, FieldTree<unknown> | undefined>>;

/**
 * The `submission` option of `form()` for a form that calls the API. Field errors of a response go to the form
 * fields of the same name (`names` maps the API's names that differ), other errors to the form itself; the
 * first wrong field gets the focus. Use with `<form [formRoot]="form">`, and `formError(form)` for the rest.
 */
export function apiSubmission<T>(
  action: (value: T) => Promise<void>,
  names: Readonly<Record<string, string>> = {},
): FormSubmitOptions<T, unknown> {
  return {
    action: async (form) => {
      const tree = form as FieldTree<T>;
      try {
        await action(tree().value());
        return undefined;
      } catch (thrown) {
        const errors = errorsOf(tree, ApiProblem.of(thrown), names);
        // Once the errors are shown: a closed section opens with them.
        setTimeout(() =>
          errors
            .find(({ fieldTree }) => fieldTree)
            ?.fieldTree?.()
            .focusBoundControl(),
        );
        return errors;
      }
    },
    onInvalid: (form) => {
      const tree = form as FieldTree<T>;
      const errors = tree().errorSummary();
      // An error of the form as a whole, such as a canceled sign-in, must not prevent another try.
      if (errors.every(({ kind, fieldTree }) => kind === 'api' && fieldTree() === tree())) {
        // Another value, although an equal one, discards the error.
        const value = tree().value as WritableSignal<T>;
        value.set({ ...value() });
        setTimeout(() => void submit(tree));
        return;
      }
      errors[0]?.fieldTree().focusBoundControl();
    },
  };
}

/** The error of a form as a whole; empty if only fields have errors. */
export function formError(form: FieldTree<unknown>): string {
  return form()
    .errors()
    .map(({ message }) => message ?? '')
    .join(' ');
}

function errorsOf(
  form: FieldTree<unknown>,
  problem: ApiProblem,
  names: Readonly<Record<string, string>>,
): ValidationError.WithOptionalFieldTree[] {
  if (problem.fields.length === 0) return [{ kind: 'api', message: problem.message }];
  return problem.fields.map((entry) => {
    const fieldTree = fieldAt(form, names[entry.field] ?? entry.field);
    if (fieldTree) return { kind: 'api', message: messageOf(entry), fieldTree };
    return { kind: 'api', message: `${entry.field}: ${asSentence(entry.problem)}` };
  });
}

export function fieldAt(form: FieldTree<unknown>, path: string): FieldTree<unknown> | undefined {
  let field: FieldTree<unknown> | undefined = form;
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    field = (field as Tree | undefined)?.[key];
  }
  return field;
}

export function messageOf({ problem, hint }: Pick<PlacedProblem, 'problem' | 'hint'>): string {
  return [problem, hint ?? ''].filter(Boolean).map(asSentence).join(' ');
}
