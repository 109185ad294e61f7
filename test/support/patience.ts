import { jest } from '@jest/globals';

// These tests wait for a server and for conditions with deadlines of their own, which say what was awaited;
// Jest's own five seconds would come first and say nothing.
jest.setTimeout(60_000);
