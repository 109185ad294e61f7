export { SecretsFile } from './secrets-file.js';
export { isPassword } from './password-hash.js';
export { SealedSecretStore } from './sealed-secret.store.js';
export { UnsealError } from './secret-box.js';
export { Secrets } from './secrets.js';
