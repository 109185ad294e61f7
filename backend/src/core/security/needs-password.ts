import { SetMetadata, type ExecutionContext } from '@nestjs/common';

const NEEDS_PASSWORD = 'needs-password';

/** For routes that create a credential, which would outlive the exemption of a client without a password. */
export const NeedsPassword = (): MethodDecorator => SetMetadata(NEEDS_PASSWORD, true);

export function needsPassword(context: ExecutionContext): boolean {
  return Reflect.getMetadata(NEEDS_PASSWORD, context.getHandler()) === true;
}
