import { expect, test } from 'vitest'

import { modelWires } from '../../test/support/model-wires.ts'
import { introduction } from '../core/introduction.ts'
import { dialects } from './dialects.ts'
import { parseJsonSpans, type StringNode } from './wire/json-spans.ts'
import { keptNote, notesFor } from './request-notes.ts'

const escaped = String.raw`{"command":"echo \u005bSECRET_1] \\u005bSECRET_2]"}`

/** The notes for a request in which a tool was called with this input. */
function notesOf(name: string, input: string): string[] {
  const { api, path, request } = modelWires[name]!
  const call = { tool: 'bash', form: 'json', input } as const
  const body = JSON.stringify(request('Hi', call, 'done'))
  const view = dialects[api].view(body, parseJsonSpans(body), dialects[api].endpointOf('POST', path(false))!)
  const issued = (tokens: readonly string[]) => new Set(tokens)
  return [...notesFor(body, view, new Map(), { issued, isOwnTool: () => false }).values()].flat()
}

test.each(['OpenAI, Responses', 'OpenAI, Chat Completions'])(
  'a token written with escapes in the arguments of a call is recognized: %s',
  (name) => {
    expect(notesOf(name, escaped)).toEqual([keptNote(['[SECRET_1]'])])
    // Incomplete: no tool ran with it, and its escapes are not decoded.
    expect(notesOf(name, escaped.slice(0, -2))).toEqual([])
    expect(notesOf(name, escaped.replace(String.raw`\u005bSECRET_1]`, 'hi'))).toEqual([])
  },
)

test('tokens are explained at the first one outside of the system prompt, whoever masked it', () => {
  const notesIn = (system: string, said: string) => {
    const body = JSON.stringify({ system, messages: [{ role: 'user', content: said }] })
    const view = dialects.anthropic.view(body, parseJsonSpans(body), { kind: 'generate', shape: 'messages' })
    const node = (view.texts[0] as { string: StringNode }).string
    const options = { issued: (tokens: readonly string[]) => new Set(tokens), isOwnTool: () => false }
    const masked = new Map(said.includes('secret') ? [[node, '"KEY=[SECRET_1]"'] as const] : [])
    const notes = notesFor(body, view, masked, options)
    return Array.from(notes, ([place, texts]) => [place === view.texts[0], texts])
  }
  expect(notesIn('like [SECRET_1]', 'KEY=secret')).toEqual([[true, [introduction]]])
  expect(notesIn('like [SECRET_1]', 'KEY=[SECRET_1]')).toEqual([[true, [introduction]]])
  expect(notesIn('like [SECRET_1]', 'Hi')).toEqual([])
})

test('a note names the tokens, but only some of very many', () => {
  const tokens = Array.from({ length: 12 }, (_, n) => `[SECRET_${n + 1}]`)
  expect(keptNote(tokens.slice(0, 2))).toContain('[SECRET_1], [SECRET_2] in this call')
  expect(keptNote(tokens)).toContain('[SECRET_10] and 2 more in this call')
})
