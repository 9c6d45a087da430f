import type { JsonObject } from '../../src/core/json.ts'
import type { ToolHost } from '../../src/core/ports.ts'
import type { Answer, Block, InputRequired, Result } from '../../src/core/result.ts'
import type { Tool } from '../../src/core/tool.ts'

/** A tool as the suite wants it: what it answers reaches the client as it is. */
export function fixtureTool(
  name: string,
  run: (args: JsonObject, host: ToolHost) => Promise<Result>,
  inputSchema: JsonObject = { type: 'object' },
): Tool {
  return {
    definition: { name, description: `Fixture ${name}`, inputSchema },
    server: 'contextd',
    needs: [],
    check: () => [],
    run,
  }
}

export function blocks(...content: Block[]): Answer {
  return { kind: 'answer', own: false, content }
}

export function text(words: string): Answer {
  return blocks({ type: 'text', text: words })
}

export function asks(requests: JsonObject, state?: string): InputRequired {
  return { kind: 'input_required', requests, ...(state !== undefined && { state }) }
}

/** A form with one required field. */
export function form(message: string, field: string, type = 'string'): JsonObject {
  const requestedSchema = { type: 'object', properties: { [field]: { type } }, required: [field] }
  return { method: 'elicitation/create', params: { message, requestedSchema } }
}

/** A question to the client's model. */
export function sampling(question: string, maxTokens = 100): JsonObject {
  const messages = [{ role: 'user', content: { type: 'text', text: question } }]
  return { method: 'sampling/createMessage', params: { messages, maxTokens } }
}

export const roots: JsonObject = { method: 'roots/list', params: {} }
