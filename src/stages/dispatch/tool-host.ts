import { scopeOf, type Call, type Scope } from '../../core/call.ts'
import { mapStrings } from '../../core/json.ts'
import type { Refs, Scrub, ToolHost } from '../../core/ports.ts'

export interface ToolHostPorts {
  readonly scrub: Scrub
  readonly restore: (text: string, session: string) => string
  /** Whether the rules let this call have real values back. */
  readonly mayReveal: (call: Call) => boolean
  readonly refs: Refs
  /** Tokens one slice of a ref may have. */
  readonly sliceTokens: number
}

/** What a tool gets for one call. Everything it hands out is bounded by that call's session, agent and grants. */
export function createToolHost(call: Call, ports: ToolHostPorts): ToolHost {
  const scope = (): Scope => {
    if (call.principal === undefined) throw new Error('a tool ran for a caller nobody identified')
    return scopeOf(call, call.principal)
  }
  const scrub = (text: string): string => {
    const { text: scrubbed, findings } = ports.scrub(text, call)
    for (const { rule } of findings) call.trail.findings.push({ layer: 'C1', rule, count: 1 })
    return scrubbed
  }
  return {
    call,
    scrub,
    reveal: (text) => (ports.mayReveal(call) ? ports.restore(text, call.session) : text),
    refs: {
      // Scrubbed before it is stored: a ref outlives the call whose result would have been scrubbed.
      save: (text) => ports.refs.save(scope(), scrub(text)),
      read: (ref, offset = 0) => ports.refs.read(scope(), ref, offset, ports.sliceTokens),
    },
    progress: (progress) =>
      call.onProgress?.({
        ...progress,
        ...(progress.message !== undefined && { message: scrub(progress.message) }),
      }),
    log: (level, message) => call.onLog?.(level, mapStrings(message, scrub)),
  }
}
