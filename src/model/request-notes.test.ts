import { expect, test } from 'vitest'

import { modelWires } from '../../test/support/model-wires.ts'
import { introduction } from '../core/introduction.ts'
import { dialects } from './dialects.ts'
import { parseJsonSpans, type StringNode } from './json-spans.ts'
import { keptNote } from './kept-note.ts'
import { notesFor } from './request-notes.ts'

const escaped = String.raw`{"command":"echo \u005bSECRET_1] \\u005bSECRET_2]"}`

/** What is added to a request in which a tool was called with this input. */
function notesOf(name: string, input: string): string[] {
  const { api, path, request } = modelWires[name]!
  const call = { tool: 'bash', form: 'json', input } as const
  const body = JSON.stringify(request('Hi', call, 'done'))
  const view = dialects[api].view(body, parseJsonSpans(body), dialects[api].endpointOf('POST', path(false))!)
  const issued = (tokens: readonly string[]) => new Set(tokens)
  return [...notesFor(body, view, new Map(), { issued, isOwnTool: () => false }).values()].flat()
}

test.each(['OpenAI, Responses', 'OpenAI, Chat Completions'])(
  'a token that the model wrote with escapes in the arguments of a call is one that the tool got: %s',
  (name) => {
    expect(notesOf(name, escaped)).toEqual([keptNote(['[SECRET_1]'])])
    // Cut off: no tool ran with it, and its escapes mean nothing.
    expect(notesOf(name, escaped.slice(0, -2))).toEqual([])
    expect(notesOf(name, escaped.replace(String.raw`\u005bSECRET_1]`, 'hi'))).toEqual([])
  },
)

test('tokens are explained where a secret was masked, not where a text names one that may be issued later', () => {
  const message = (content: string) => ({ role: 'user', content })
  const body = JSON.stringify({ messages: [message('like [SECRET_1]'), message('KEY=secret')] })
  const root = parseJsonSpans(body)
  const view = dialects.anthropic.view(body, root, { kind: 'generate', shape: 'messages' })
  const [named, secret] = view.texts
  const node = (secret as { string: StringNode }).string
  const options = { issued: (tokens: readonly string[]) => new Set(tokens), isOwnTool: () => false }
  const notes = (masked: ReadonlyMap<StringNode, string>) => notesFor(body, view, masked, options)
  expect(notes(new Map([[node, '"KEY=[SECRET_1]"']]))).toEqual(new Map([[secret, [introduction]]]))
  expect(notes(new Map([[(named as { string: StringNode }).string, '"like [SECRET_1]"']]))).toEqual(
    new Map([[named, [introduction]]]),
  )
  expect(notes(new Map())).toEqual(new Map())
})
