/** The steps of the demo. Every call goes through the real pipeline; only the agents are simulated. */

import type { Records, Runtime } from '../../../compose.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { DemoSet } from './set.ts'

export interface DemoFacts {
  readonly sandbox: { readonly available: boolean; readonly cause?: string }
  readonly secret: { readonly tool: string; readonly printed: string; readonly agent_saw: string }
  readonly refusal: {
    readonly agent: string
    readonly tool: string
    readonly code: string
    readonly rule: string
  }
  readonly folding: {
    readonly files: number
    readonly found: string
    readonly tokens_read: number
    readonly tokens_returned: number
    readonly kept_out: number
  }
  readonly audit: {
    readonly calls: readonly {
      readonly agent: string
      readonly tool: string
      readonly outcome: string
      readonly secrets: number
    }[]
    readonly records: number
    readonly ok: boolean
  }
}

export type DemoCaller = (agent: string, tool: string, args: JsonObject) => Promise<AgentView>

/** What an agent sees. */
export interface AgentView {
  readonly text: string
  readonly data: JsonObject
  readonly tokens: number
  /** Set if it was refused. */
  readonly refused?: { readonly code: string; readonly rule: string }
}

/** Calls by simulated agents, in one session. */
export function demoCaller(runtime: Runtime, signal: AbortSignal): DemoCaller {
  const client = { name: 'ctxd demo', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  return async (declared, tool, args) => {
    signal.throwIfAborted()
    const call = runtime.newCall({
      method: 'tool',
      session,
      client,
      claims: { declared },
      tool,
      arguments: args,
      signal,
    })
    const result = await runtime.handle(call)
    signal.throwIfAborted()
    if (result.kind === 'refusal') {
      const { code, message, rule = '' } = result.error
      return { text: message, data: {}, tokens: 0, refused: { code, rule } }
    }
    if (result.kind !== 'answer')
      throw new ContextdError('INTERNAL', { cause: `unexpected answer from ${tool}` })
    const text = result.content.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n')
    const structured = isJsonObject(result.structured) ? result.structured : {}
    const tokens = typeof structured.tokens_used === 'number' ? structured.tokens_used : 0
    if (result.isError === true) throw new ContextdError('INTERNAL', { cause: `${tool} failed: ${text}` })
    return { text, data: isJsonObject(structured.data) ? structured.data : {}, tokens }
  }
}

/** A command prints a secret. Without a sandbox the file is read instead. */
export async function printSecret(
  call: DemoCaller,
  set: DemoSet,
  hasSandbox: boolean,
): Promise<DemoFacts['secret']> {
  const tool = hasSandbox ? 'safe_bash' : 'safe_read'
  const args = hasSandbox ? { command: 'cat deploy.log' } : { path: 'deploy.log' }
  const { text, refused } = await call('coder', tool, args)
  if (refused !== undefined)
    throw new ContextdError('INTERNAL', { cause: `the command was refused: ${text}` })
  const seen = text.split('\n').find((line) => line.includes('GITHUB_TOKEN')) ?? ''
  return { tool, printed: `GITHUB_TOKEN=${set.secret}`, agent_saw: seen.trim() }
}

/** An agent asks for more than its rules allow. */
export async function refuseAgent(call: DemoCaller): Promise<DemoFacts['refusal']> {
  const { refused } = await call('reviewer', 'safe_bash', { command: 'git push --force' })
  if (refused === undefined) throw new ContextdError('INTERNAL', { cause: 'the reviewer was not refused' })
  return { agent: 'reviewer', tool: 'safe_bash', ...refused }
}

/** A subagent reads every file in a branch that returns one sentence. */
export async function foldSearch(
  call: DemoCaller,
  { sources, searchTarget }: DemoSet,
): Promise<DemoFacts['folding']> {
  const question = `Where is ${searchTarget} set?`
  const opened = await call('coder', 'branch', {
    description: question,
    prompt: `Search src/. ${question}`,
    budget: 16_384,
  })
  const branch = opened.data.branch ?? ''
  let found = ''
  for (const file of sources) {
    const { text } = await call('searcher', 'safe_read', { path: file, branch_id: branch })
    const line = text.split('\n').find((one) => one.includes(`const ${searchTarget}`))
    // Without its number.
    if (line !== undefined) found = `${file}: ${line.slice(line.indexOf('\t') + 1).trim()}`
  }
  const returned = await call('searcher', 'return', { branch_id: branch, message: `It is in ${found}` })
  return {
    files: sources.length,
    found,
    tokens_read: Number(returned.data.used ?? 0),
    tokens_returned: opened.tokens + returned.tokens,
    kept_out: Number(returned.data.kept_out ?? 0),
  }
}

/** What the audit log has about all this, and whether it verifies. */
export function readRecord({ audit, verify }: Records): DemoFacts['audit'] {
  const calls = audit
    .query({ kind: 'call', limit: 100 })
    .toReversed()
    .map(({ agent, tool = '', error, decision = '', found_c1: c1 = 0, found_c2: c2 = 0 }) => ({
      agent,
      tool,
      outcome: error ?? decision,
      secrets: (c1 ?? 0) + (c2 ?? 0),
    }))
  const { ok, records } = verify()
  return { calls, records, ok }
}
