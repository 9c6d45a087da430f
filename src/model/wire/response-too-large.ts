/** Part of a response that cannot be passed on before all of it is known is longer than may be held. */
export class ResponseTooLarge extends Error {}
