/** Replaces secrets in text with tokens of a session, and restores them. */

export { createEmbeddedScrubber as createScrubber } from './engine/embedded-scrubber.ts'
export type { EmbeddedScrubber as Scrubber, SessionScope } from './engine/embedded-scrubber.ts'
export type { Finding, Scrubbed } from './engine/scrubbed.ts'
export type { ScrubberOptions } from './engine/scrubber.ts'
export type { ScrubStream } from './engine/scrub-stream.ts'
