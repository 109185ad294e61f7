export type { ClientMessage, ServerMessage, Topic } from './event-messages.js';
export { EventsModule } from './events.module.js';
