import type { Call } from '../../core/call.ts'
import { mapStrings, type Json, type JsonObject } from '../../core/json.ts'
import type { Scrub } from '../../core/ports.ts'
import { refusal, type Block, type Result } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'

export interface ScrubStageOptions {
  readonly scrub: Scrub
  /** Where raw outputs go before they are scrubbed, when the vault is switched on. */
  readonly keepRaw?: (call: Call, raw: Result) => void
  readonly onFailure: (call: Call, error: unknown) => void
}

/** Everything that comes back passes here. What cannot be checked is withheld, not passed on. */
export function scrubStage({ scrub, keepRaw, onFailure }: ScrubStageOptions): Stage {
  return async (call, next) => {
    const result = await next(call)
    try {
      keepRaw?.(call, result)
      return scrubResult(call, result, scrub)
    } catch (error) {
      onFailure(call, error)
      return refusal('SCRUB_FAILED')
    }
  }
}

function scrubResult(call: Call, result: Result, scrub: Scrub): Result {
  const counts = new Map<string, number>()
  const clean = <T extends Json>(value: T): T =>
    mapStrings(value, (text, key) => {
      const { text: scrubbed, findings } = scrub(text, call, key)
      for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1)
      return scrubbed
    }) as T

  const scrubbed = cleanResult(result, clean)
  for (const [rule, count] of counts) call.trail.findings.push({ layer: 'C2', rule, count })
  return scrubbed
}

function cleanResult(result: Result, clean: <T extends Json>(value: T) => T): Result {
  switch (result.kind) {
    case 'answer':
      return {
        ...result,
        content: result.content.map((block) => clean(block as JsonObject) as Block),
        ...(result.structured !== undefined && { structured: clean(result.structured) }),
        ...(result.meta !== undefined && { meta: clean(result.meta) }),
      }
    case 'payload':
      return { ...result, value: clean(result.value) }
    case 'input_required':
      return { ...result, requests: clean(result.requests) }
    case 'refusal':
      return { ...result, error: clean(result.error as JsonObject) as typeof result.error }
  }
}
