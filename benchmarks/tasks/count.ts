/** What a conversation costs, counted in the requests that a client made to its model. */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { messagesOf, spokenIn } from '../../test/clients/scripted-model.ts'

export interface Cost {
  readonly calls: number
  /** Of the names and arguments of the calls, and of their results. */
  readonly inputs: number
  readonly results: number
  /** Of what the client adds between them on its own account, some of it by its clock. */
  readonly notes: number
}

/** Tokens that every request begins with, before the conversation. */
export interface Beginning {
  /** Of the definitions of tools. */
  readonly tools: number
  /** Of the system prompt, the names of tools that are not listed, skills, and the instructions of servers. */
  readonly prompt: number
}

/** Of the last request of a conversation. `clean` replaces what differs from run to run, such as the name of a folder. */
export function costOf(body: JsonObject, clean: (text: string) => string): Cost {
  const messages = messagesOf(body)
  const first = messages.findIndex(({ role }) => role === 'assistant')
  const cost = { calls: 0, inputs: 0, results: 0, notes: 0 }
  const tokensOf = (text: string): number => countTokens(clean(text))
  for (const message of messages.slice(first)) {
    for (const block of blocksIn(message)) {
      if (block.type === 'tool_use') {
        cost.calls += 1
        cost.inputs += tokensOf(JSON.stringify([block.name, block.input]))
      } else if (block.type === 'tool_result') cost.results += tokensOf(resultText(block.content))
      else if (message.role !== 'assistant') cost.notes += tokensOf(spokenIn([block]))
    }
  }
  return cost
}

/** Of the first request of a conversation. */
export function beginningOf(body: JsonObject, clean: (text: string) => string): Beginning {
  const prompt = [textOf(body.system), ...messagesOf(body).map(({ content }) => textOf(content))]
  return {
    tools: countTokens(JSON.stringify(body.tools ?? [])),
    prompt: countTokens(clean(prompt.join('\n'))),
  }
}

function blocksIn({ content }: JsonObject): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as JsonObject[])
}

function textOf(content: Json | undefined): string {
  return typeof content === 'string' ? content : spokenIn(content)
}

/** Texts as a model reads them, anything else as JSON. */
function resultText(content: Json | undefined): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content
    .map((block) =>
      isJsonObject(block) && typeof block.text === 'string' ? block.text : JSON.stringify(block),
    )
    .join('\n')
}
