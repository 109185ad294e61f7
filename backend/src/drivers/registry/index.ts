export { HttpImageRegistry } from './http-image-registry.js';
export { ImageRegistry, RegistryError } from './image-registry.js';
export { HttpWebhookSender } from './http-webhook-sender.js';
export { isInside, problemOfAddress } from './outside-address.js';
export { WebhookError, WebhookSender } from './webhook-sender.js';
