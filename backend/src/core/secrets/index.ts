export { isPassword } from './password-hash.js';
export { SealedSecrets, Secrets } from './secrets.js';
