export { hashPassword, isPassword } from './password-hash.js';
export { SealedSecretStore } from './sealed-secret.store.js';
export { SealedSecrets, Secrets } from './secrets.js';
