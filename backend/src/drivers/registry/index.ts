export { HttpImageRegistry } from './http-image-registry.js';
export { ImageRegistry, RegistryError } from './image-registry.js';
export { isInside, problemOfAddress } from './outside-address.js';
