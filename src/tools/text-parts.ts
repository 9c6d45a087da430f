/**
 * For the texts that models see of answers (`Tool.renderText`). Fields may be missing or changed, because data is
 * scrubbed and shortened first. Pure.
 */

import type { Json } from '@contextd/shared/json/value'

/** A text as it is, anything else as JSON. */
export function shownValue(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Text of a file or program without its last line end: the next part begins on a new line anyway. */
export function quoted(value: Json | undefined): string {
  const text = value === undefined ? '' : shownValue(value)
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** What is said about such a text, next to it. Nothing if there is nothing to say. */
export function remark(value: Json | undefined): string {
  return value === undefined || value === '' ? '' : `[${shownValue(value)}]`
}

/** Parts that are not empty, each on its own line. */
export function onLines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}
