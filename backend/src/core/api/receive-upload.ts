import { DomainError, storageFailure, type ErrorCode } from '../errors/index.js';

/**
 * Receives an upload.
 * @param what is expected, such as "an image archive".
 * @param write stores it and returns the number of received bytes.
 * @throws DomainError with the code if the upload is interrupted or empty.
 */
export async function receiveUpload(
  what: string,
  code: ErrorCode,
  write: () => Promise<number>,
): Promise<number> {
  let received: number;
  try {
    received = await write();
  } catch (error) {
    if (error instanceof DomainError || storageFailure(error) !== undefined) throw error;
    throw new DomainError(code, 'The upload was interrupted. Try again.', undefined, { cause: error });
  }
  if (received === 0) throw new DomainError(code, `The upload is empty. Send ${what}.`);
  return received;
}
