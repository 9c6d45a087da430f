/**
 * Validates values against untrusted JSON schemas in time linear in the value: patterns run on RE2, never on the host's
 * engine, which a pattern can keep busy forever.
 */

import type { Json } from '@contextd/shared/json/value'
import { isJsonObject } from '@contextd/shared/json/value'

/** The part of Ajv that is changed here. */
export interface SchemaEngine {
  readonly opts: { allErrors?: boolean; code: { regExp?: unknown } }
  removeKeyword(name: string): unknown
  addKeyword(definition: {
    keyword: string
    type: 'array'
    schemaType: 'boolean'
    errors: false
    validate: (wanted: boolean, items: Json[]) => boolean
    error: { message: string }
  }): unknown
  addFormat(name: string, isValid: (text: string) => boolean): unknown
}

interface Matcher {
  test(text: string): boolean
}

/** RE2 does not support the pattern: lookarounds, backreferences, or too many repetitions. */
class PatternNotLinear extends Error {}

/** `fallback` decides what happens to a pattern that RE2 does not support; it may throw. */
export type MakeLinear = (
  engine: SchemaEngine,
  fallback: (source: string, problem: PatternNotLinear) => Matcher,
) => void

/** RE2 is loaded on first use, as most commands check no schema. */
export async function loadMakeLinear(): Promise<MakeLinear> {
  const { RE2JS } = await import('re2js')
  return (engine, fallback) => makeLinear(RE2JS, engine, fallback)
}

function makeLinear(
  RE2JS: typeof import('re2js').RE2JS,
  ...[engine, fallback]: Parameters<MakeLinear>
): void {
  const compile = (source: string): Matcher => {
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(source))
      return { test: (text) => compiled.test(text) }
    } catch (error) {
      const reason =
        error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
      return fallback(source, new PatternNotLinear(`pattern ${source} cannot be checked: ${reason}`))
    }
  }
  engine.opts.code.regExp = Object.assign(
    // Ajv identifies patterns by their text.
    (source: string) => ({ ...compile(source), toString: () => source }),
    { code: 're2js' },
  )
  // Ajv compares each item with every other one.
  engine.removeKeyword('uniqueItems')
  engine.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (wanted, items) => !wanted || new Set(items.map(canonical)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  })
  // Its pattern takes cubic time; all others are linear.
  engine.addFormat('url', (text) => /^(?:https?|ftp):/i.test(text) && URL.canParse(text))
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
