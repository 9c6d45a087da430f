import * as z from 'zod'

import type { Call } from '../../core/call.ts'
import type { Clock, PrivateContext } from '../../core/ports.ts'
import type { Answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { defineTool } from '../define-tool.ts'
import type { ContextBroker } from './context-broker.ts'
import { argumentsForRecord } from './key-hash.ts'

export interface LoadContextParts {
  /** The path of the map; relative paths in it are resolved against its folder. */
  readonly map: string
  readonly home: string
  /** Files in here belong to contextd, and are never a context. */
  readonly stateFolder: string
  /** For keyed hashes of keys; requested on the first call. */
  readonly hashKey: () => Buffer
  readonly clock: Clock
  readonly remember: PrivateContext['remember']
}

/** Reads the next page of private context; throws REF_NOT_FOUND if the caller did not receive the ref. */
export type ReadPrivate = (call: Call, ref: string, offset: number) => Promise<Answer>

export interface LoadContext {
  readonly tool: Tool
  /** Lets `read_more` read refs of private context, which are not in the database. */
  readonly readPrivate: ReadPrivate
}

/** The max tokens of one answer; the rest is available with `read_more`. */
const pageTokens = 8000
/** Longer than any key in a map. */
const maxKeyLength = 512
// Not in the schema, which costs every model tokens in every session.
const key = z.string().refine(({ length }) => length <= maxKeyLength, `at most ${maxKeyLength} characters`)

/** Loads private context for one agent. The implementation is loaded on the first call: most sessions make none. */
export function createLoadContext(parts: LoadContextParts): LoadContext {
  let read: Buffer | undefined
  const hashKey = (): Buffer => (read ??= parts.hashKey())
  let opened: Promise<ContextBroker> | undefined
  const broker = (): Promise<ContextBroker> =>
    (opened ??= import('./context-broker.ts').then(({ createContextBroker }) =>
      createContextBroker({ ...parts, hashKey }),
    ))
  const tool = defineTool({
    name: 'load_context',
    description: 'Loads private context meant for you. Pass the key from your instructions, if any.',
    input: z.object({ key: key.optional() }),
    maxTokens: pageTokens,
    annotations: { readOnlyHint: true },
    forRecord: (args) => argumentsForRecord(args, hashKey()),
    run: async ({ key }, { call }) => (await broker()).load(call, key),
  })
  return { tool, readPrivate: async (...asked) => (await broker()).readOn(...asked) }
}
