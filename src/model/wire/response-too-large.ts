/** A part of a response that must be complete before it can be passed on exceeds the buffer limit. */
export class ResponseTooLarge extends Error {}
