/** `ctxd tool run`: a tool as an agent would call it. */

import { ContextdError, type ErrorObject } from '../../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../../core/result.ts'
import { VERSION } from '@contextd/shared/version'
import { nearestKnownName } from '../../support/known-names.ts'
import { readInput } from '@contextd/shared/cli/bytes'
import { printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { withRuntime } from '../../support/with-runtime.ts'

export async function run(name: string, input: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const args = parseInput(input === '-' ? await readPiped(io) : input)
  await withRuntime(io, async (runtime) => {
    const client = { name: 'ctxd', version: VERSION, door: 'cli' } as const
    const session = runtime.sessions.begin(client)
    try {
      const { signal } = new AbortController()
      const call = {
        method: 'tool',
        tool: name,
        arguments: args,
        session,
        client,
        claims: {},
        signal,
      } as const
      const result = await runtime.handle(runtime.newCall(call))
      if (result.kind === 'refusal' && result.error.code === 'TOOL_NOT_FOUND') throw await notThere(name, io)
      printAnswer(result, json === true, io)
    } finally {
      runtime.sessions.end(session)
    }
  })
}

async function notThere(name: string, io: CliIo): Promise<ContextdError> {
  const meant = await nearestKnownName('tools', name, io)
  const hint =
    meant === undefined ? '`ctxd tool list` shows the tools of this project.' : `Did you mean ${meant}?`
  return new ContextdError('TOOL_NOT_FOUND', { tool: name, hint })
}

function printAnswer(result: Result, json: boolean, io: CliIo): void {
  if (result.kind === 'refusal') throw toError(result.error)
  if (result.kind !== 'answer') throw new ContextdError('TOOL_FAILED')
  const { structured } = result
  const error = isJsonObject(structured) && result.isError === true ? structured.error : undefined
  if (isJsonObject(error)) throw toError(error as unknown as ErrorObject)
  if (json) return printJson(structured ?? {}, io)
  const texts = result.content.flatMap(({ text }) => (typeof text === 'string' ? text.split('\n') : []))
  for (const line of texts) printLine(line, io)
}

function toError(error: ErrorObject): ContextdError {
  const { code, message: _, ...details } = error
  return new ContextdError(code, details)
}

function parseInput(text: string): JsonObject {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    value = null
  }
  if (isJsonObject(value)) return value
  throw new ContextdError('USAGE', { problem: 'the input must be a JSON object, such as {"city": "Oslo"}' })
}

async function readPiped(io: CliIo): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readInput('-', io)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
