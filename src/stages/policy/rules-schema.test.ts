import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'

import { capabilityKinds, parseCapability } from '../../core/capability.ts'
import { rulesJsonSchema, rulesSchema } from './rules-schema.ts'

it('matches schema/rules.schema.json', () => {
  const file = new URL('../../../schema/rules.schema.json', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(rulesJsonSchema(), null, 2)}\n`)
})

it('accepts exactly those printable texts as capabilities that can be parsed', () => {
  const texts = fc.oneof(
    fc.constantFrom(...capabilityKinds),
    fc
      .tuple(fc.constantFrom(...capabilityKinds, 'fs', 'fs:raed'), fc.string())
      .map((parts) => parts.join(':')),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const document = { agents: { a: { allow: { capabilities: [text] } } } }
      expect(rulesSchema.safeParse(document).success).toBe(parseCapability(text) !== undefined)
    }),
  )
})

describe('docs/reference/rules.md', () => {
  const page = readFileSync(new URL('../../../docs/reference/rules.md', import.meta.url), 'utf8')

  /** Keys that hold a value, with `<>` for names chosen by the user. */
  function keysOf(schema: z.core.JSONSchema.BaseSchema, path = ''): string[] {
    const below = (key: string) => (path === '' ? key : `${path}.${key}`)
    const deeper = (key: string, value: unknown) => keysOf(value as z.core.JSONSchema.BaseSchema, key)
    if (schema.properties)
      return Object.entries(schema.properties).flatMap(([key, value]) => deeper(below(key), value))
    if (typeof schema.additionalProperties !== 'object' || /\.(?:defaults|fixed)$/.test(path)) {
      const items = schema.items as z.core.JSONSchema.BaseSchema | undefined
      return items?.properties ? keysOf(items, `${path}[]`) : [path]
    }
    return deeper(below('<>'), schema.additionalProperties)
  }

  it('has a row for every key, and no other', () => {
    const documented = [...page.matchAll(/^\| `([^`|]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, key = '']) =>
      key.replaceAll(/<[^>]*>/g, '<>'),
    )
    const keys = keysOf(rulesJsonSchema())
    const expected = keys.map((key) => key.replace(/^agents\.<>\.deny\..*/, 'agents.<>.deny'))
    expect(documented.filter((key) => /^(?:\$|agents|require|defaults|examples)/.test(key)).sort()).toEqual(
      [...new Set(expected)].sort(),
    )
  })
})
