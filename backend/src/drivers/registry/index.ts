export { HttpImageRegistry } from './http-image-registry.js';
export { ImageRegistry, RegistryError } from './image-registry.js';
export { HttpWebhookSender } from './http-webhook-sender.js';
export { isAllowedHost, problemOfAddress } from './outbound-address.js';
export { SyslogSender } from './syslog-sender.js';
export { WebhookError, WebhookSender } from './webhook-sender.js';
