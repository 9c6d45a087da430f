/** Looks for planted secrets in what reached a model, also where they are escaped or encoded. */

import { textsIn, type Json } from '@contextd/shared/json/value'
import { planted } from './kinds.ts'

/** The kinds of which any part of the secret is in one of these request bodies, in the order of the kinds. */
export function kindsLeaked(bodies: Iterable<string>): string[] {
  const leaked = new Set<string>()
  for (const body of bodies) {
    const text = everythingIn(body)
    for (const { kind, secret } of planted) {
      if (!leaked.has(kind) && isIn(text, secret)) leaked.add(kind)
    }
  }
  return planted.map(({ kind }) => kind).filter((kind) => leaked.has(kind))
}

/** Whether a text says the value or a half of it, in any of the spellings that a client or a tool may use. */
export function isIn(text: string, value: string): boolean {
  return partsOf(value).some((part) => spellings(part).some((spelling) => text.includes(spelling)))
}

/** The body as it was sent, and what its strings mean; base64 that is wrapped is also there in one piece. */
function everythingIn(body: string): string {
  const strings = [...textsIn(JSON.parse(body) as Json)].join('\n')
  return [body, strings, strings.replace(/\s+/g, '')].join('\n')
}

/** A mask that covers only a part of a secret is a leak too: its halves are looked for, and each line of a long one. */
function partsOf(value: string): string[] {
  const lines = value.split('\n')
  if (lines.length > 1) return lines
  const middle = value.length >> 1
  return value.length < 24 ? [value] : [value.slice(0, middle), value.slice(middle)]
}

function spellings(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1)
  const ascii = escaped.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const slashes = escaped.replaceAll('/', '\\/')
  const once = [value, escaped, ascii, slashes]
  const twice = [escaped, ascii].map((text) => JSON.stringify(text).slice(1, -1))
  return [...new Set([...once, ...twice, encodeURIComponent(value), ...base64Of(value)])]
}

/** The part of the base64 that depends on nothing but the value, for the three places where it can begin. */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const first = shift === 0 ? 0 : shift + 1
    const rest = (shift + bytes.length) % 3
    const end = encoded.length - (rest === 0 ? 0 : 5 - rest)
    const core = encoded.slice(first, end)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
