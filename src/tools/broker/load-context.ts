import * as z from 'zod'

import type { Call } from '../../core/call.ts'
import type { Clock, PrivateContext } from '../../core/ports.ts'
import type { Answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { defineTool } from '../define-tool.ts'
import type { ContextBroker } from './context-broker.ts'
import { argumentsForRecord } from './key-hash.ts'

export interface LoadContextParts {
  /** Where the map of keys is; paths in it that are not absolute begin in its folder. */
  readonly map: string
  readonly home: string
  /** What lies in here is ours, and is nobody's context. */
  readonly stateFolder: string
  /** For keyed hashes of keys; asked for with the first call. */
  readonly hashKey: () => Buffer
  readonly clock: Clock
  readonly remember: PrivateContext['remember']
}

/** Reads on in private context; throws REF_NOT_FOUND for what the caller was not given. */
export type ReadPrivate = (call: Call, ref: string, offset: number) => Promise<Answer>

export interface LoadContext {
  readonly tool: Tool
  /** What `read_more` needs for refs of private context, which lies in no table. */
  readonly readPrivate: ReadPrivate
}

/** One answer may have so many tokens; the rest is read with `read_more`. */
const pageTokens = 8000
/** Longer than any key in a map. */
const maxKeyLength = 512

/** Private context for one agent. What is behind it is loaded with the first call: most sessions make none. */
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
    input: z.object({ key: z.string().max(maxKeyLength).optional() }),
    maxTokens: pageTokens,
    annotations: { readOnlyHint: true },
    forRecord: (args) => argumentsForRecord(args, hashKey()),
    run: async ({ key }, { call }) => (await broker()).load(call, key),
  })
  return { tool, readPrivate: async (...asked) => (await broker()).readOn(...asked) }
}
