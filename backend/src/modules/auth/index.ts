export type { AccessTokenDto, CreatedAccessTokenDto } from './access-tokens/access-token.dto.js';
export type { IssuedLinkDto } from './auth.dto.js';
export { LocalUserExemption, NoExemption } from './exemption.js';
export { KnownBrowsers } from './known-browsers.js';
export { LogBoardAuthModule } from './auth.module.js';
export { SessionSockets } from './session-sockets.js';
export { LINK_MINUTES, SignInLinks } from './sign-in-links.js';
