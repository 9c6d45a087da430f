/**
 * What responses of memory tools cost in tokens (o200k), compared with the full text they replace, on a generated
 * session.
 */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

import { composeRuntime, type Runtime } from '../src/compose.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { lessons, sessionState } from './support/worked-session.ts'

export interface TokenSaving {
  readonly ours: number
  readonly theirs: number
  /** Savings in percent. */
  readonly less: number
}

export interface MemoryTokens {
  readonly search: TokenSaving
  readonly restore: TokenSaving
  readonly discovery: TokenSaving
}

/** Tokens of a gateway that lists the tools of every server. */
const listedTokens = 18_000

export async function measureMemoryTokens(home: string): Promise<MemoryTokens> {
  const runtime = await composeRuntime({ env: { CONTEXTD_HOME: home }, cwd: home, log: () => {} })
  try {
    const call = callerOf(runtime)
    for (const lesson of lessons) await call('memory_store', { ...lesson })
    const found = await call('memory_search', { query: 'the build fails on the build server only' })
    const ids = [...found.matchAll(/\bmem_\w+/g)].map(([id]) => id)
    if (ids.length === 0) throw new Error('no memories found')
    const contents = await Promise.all(ids.map((id) => call('memory_get', { ids: [id] })))

    const { state, ...summary } = sessionState()
    const saved = await call('checkpoint_save', { ...summary, state })
    const id = /\bcp_\w+/.exec(saved)?.[0] ?? ''
    const restored = await call('checkpoint_restore', { id })

    const listed = await listedTools(runtime)
    return {
      search: saving(countTokens(found), countTokens(contents.join('\n'))),
      restore: saving(countTokens(restored), countTokens(JSON.stringify(state))),
      discovery: saving(countTokens(JSON.stringify(listed)), listedTokens),
    }
  } finally {
    await runtime.close()
  }
}

function saving(ours: number, theirs: number): TokenSaving {
  return { ours, theirs, less: 100 * (1 - ours / theirs) }
}

/** The definitions that a client receives if there are no rules and no other servers. */
async function listedTools(runtime: Runtime): Promise<Json> {
  const client = { name: 'bench', version: '1', door: 'stdio' } as const
  const { signal } = new AbortController()
  const request = {
    method: 'list',
    session: runtime.sessions.begin(client),
    client,
    claims: {},
    tool: 'tools',
    signal,
  } as const
  const result = await runtime.handle(runtime.newCall(request))
  if (result.kind !== 'payload') throw new Error('the tools were not listed')
  const tools = result.value.tools as JsonObject[]
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }) as JsonObject)
}

/** Calls a tool as the main agent and returns the text for the model. */
function callerOf(runtime: Runtime): (tool: string, args: JsonObject) => Promise<string> {
  const client = { name: 'bench', version: '1', door: 'stdio' } as const
  const session = runtime.sessions.begin(client)
  return async (tool, args) => {
    const { signal } = new AbortController()
    const call = runtime.newCall({
      method: 'tool',
      session,
      client,
      claims: {},
      tool,
      arguments: args,
      signal,
    })
    const result = await runtime.handle(call)
    if (result.kind !== 'answer' || result.isError === true) {
      throw new Error(`${tool} answered ${JSON.stringify(result)}`)
    }
    return result.content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
  }
}
