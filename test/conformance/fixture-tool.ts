import type { JsonObject } from '@contextd/shared/json/value'

/** What a fixture knows of the request it answers. */
export interface FixtureHost {
  log(message: string): Promise<void>
  progress(progress: number, total?: number): Promise<void>
  /** What the client answered to one of our questions; undefined for anything that is no answer. */
  answer(key: string): JsonObject | undefined
  /** What the result before this one left with the client. */
  readonly state: string | undefined
  /** Whether the client can be asked that. */
  can(kind: 'elicitation' | 'sampling' | 'roots'): boolean
  /** Says that a list is different now. */
  changed(list: 'tools' | 'prompts'): void
}

/** A tool as the suite wants it; it answers an MCP result. */
export interface FixtureTool {
  readonly name: string
  readonly inputSchema: JsonObject
  run(args: JsonObject, host: FixtureHost): Promise<JsonObject>
}

export function fixtureTool(
  name: string,
  run: FixtureTool['run'],
  inputSchema: JsonObject = { type: 'object' },
): FixtureTool {
  return { name, inputSchema, run }
}

export function blocks(...content: JsonObject[]): JsonObject {
  return { content }
}

export function text(words: string): JsonObject {
  return blocks({ type: 'text', text: words })
}

/** The call goes on with the answers. To clients up to 2025-11-25 the SDK puts the questions while they wait. */
export function asks(inputRequests: JsonObject, requestState?: string): JsonObject {
  return {
    resultType: 'input_required',
    inputRequests,
    ...(requestState !== undefined && { requestState }),
  }
}

export function elicitation(message: string, properties: JsonObject, required: string[] = []): JsonObject {
  const requestedSchema = { type: 'object', properties, required }
  return { method: 'elicitation/create', params: { message, requestedSchema } }
}

/** A form with one required field. */
export function form(message: string, field: string, type = 'string'): JsonObject {
  return elicitation(message, { [field]: { type } }, [field])
}

/** A question to the client's model. */
export function sampling(question: string, maxTokens = 100): JsonObject {
  const messages = [{ role: 'user', content: { type: 'text', text: question } }]
  return { method: 'sampling/createMessage', params: { messages, maxTokens } }
}

export const roots: JsonObject = { method: 'roots/list', params: {} }
