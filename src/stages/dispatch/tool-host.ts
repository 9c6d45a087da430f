import { callerName, scopeOf, type Call, type Scope } from '../../core/call.ts'
import { checkFor, type RunCheck } from '../../core/checks.ts'
import { maskAndScrub, type TextChecks } from '../../core/findings.ts'
import type { LastingText, Refs, ToolHost } from '../../core/ports.ts'
import { noteFinding } from '../../core/trail.ts'
import { lastingTextIn } from '../../platform/lasting-text.ts'

export interface ToolHostPorts extends TextChecks {
  /** For text that may be large. */
  readonly check: RunCheck
  /** The text with the values that the rules reveal to this call. */
  readonly reveal: (call: Call, text: string) => string
  readonly lasting: LastingText
  readonly refs: Refs
  /** Max tokens of a slice of a ref. */
  readonly sliceTokens: number
  /** Limited to the call's grants; absent if it has none. */
  readonly fetch?: ToolHost['fetch']
  /** State that outlives a session, as far as the caller may access it. */
  readonly persistentFor?: (
    host: Pick<ToolHost, 'call' | 'archive' | 'recall'>,
  ) => Pick<ToolHost, 'memory' | 'checkpoints'>
}

/** What a tool can use during one call, limited to that call's session, agent and grants. */
export function createToolHost(call: Call, ports: ToolHostPorts): ToolHost {
  const scope = (): Scope => {
    if (call.principal === undefined) throw new Error('a tool ran for an unidentified caller')
    return scopeOf(call, call.principal)
  }
  const caller = callerName(call)
  const scrubFor =
    (place: string, reader: string | undefined) =>
    (text: string): string => {
      const { text: clean, rules } = maskAndScrub(text, call, ports, reader)
      for (const rule of rules) noteFinding(call.trail, { layer: 'C1', rule, place })
      return clean
    }
  const host: ToolHost = {
    call,
    async scrub(text) {
      const whose = checkFor(call, caller)
      const { value, found } = await ports.check({ kind: 'record', value: text, secrets: true }, whose)
      for (const { rule, count } of found)
        noteFinding(call.trail, { layer: 'C1', rule, place: 'tool' }, count)
      return value as string
    },
    reveal: (text) => ports.reveal(call, text),
    // Scrubbed before it is stored: archived text outlives this call, and the next session no longer knows to whom it
    // belonged.
    ...lastingTextIn(call.session, ports.lasting, scrubFor('archive', undefined)),
    refs: {
      // Scrubbed before it is stored: a ref outlives the call whose result would have been scrubbed.
      save: (text) => ports.refs.save(scope(), scrubFor('ref', caller)(text)),
      read: (ref, offset = 0) => ports.refs.read(scope(), ref, offset, ports.sliceTokens),
    },
    // The scrub stage checks both when they are sent, in a worker if they are large.
    progress: (progress) => call.onProgress?.(progress),
    ...(ports.fetch !== undefined && { fetch: ports.fetch }),
    log: (level, message) => call.onLog?.(level, message),
  }
  return Object.assign(host, ports.persistentFor?.(host))
}
