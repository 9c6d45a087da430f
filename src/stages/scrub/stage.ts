import type { Ask, AskRequest, Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Mutable } from '../../core/mutable.ts'
import type { Scrub } from '../../core/ports.ts'
import { refusal, type Refusal, type Result } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import { addNotes, noteFinding } from '../../core/trail.ts'
import { cleanJson, cleanResult, type Cleaner } from './clean-result.ts'
import { introduceTokens, isIntroducible } from './introduction.ts'
import { revealArguments, tokensIn, type RevealTerms, type TokenValues } from './reveal.ts'

export interface ScrubStageOptions {
  readonly scrub: Scrub
  /** The values of those tokens that the session was given. */
  readonly valuesOf: (session: string, tokens: Iterable<string>) => TokenValues
  /** Whether the agent was told what a token is, and the note that it now is. */
  readonly introductions: { has(session: string): boolean; add(session: string): unknown }
  readonly termsOf: (call: Call) => RevealTerms
  /** Whether the tool puts what it is given into files. */
  readonly writesFiles: (call: Call) => boolean
  /** Texts that we wrote ourselves, such as the descriptions of our tools: a client waits for them at start. */
  readonly ownTexts?: () => ReadonlySet<string>
  /** Where raw outputs go before they are scrubbed, when the vault is switched on. */
  readonly keepRaw?: (call: Call, raw: Result) => void
  readonly onFailure: (call: Call, error: unknown) => void
}

/**
 * On the way in, an allowed tool gets real values for its tokens. Everything that comes back, also while the tool runs,
 * is scrubbed. What cannot be checked is withheld, not passed on.
 */
export function scrubStage(options: ScrubStageOptions): Stage {
  const { keepRaw, onFailure } = options
  const orWithhold = <T>(call: Call, work: () => T): T | Refusal => {
    try {
      return work()
    } catch (error) {
      onFailure(call, error)
      return refusal('SCRUB_FAILED')
    }
  }
  return async (call, next) => {
    const prepared = orWithhold(call, () => withValues(call, options))
    if ('kind' in prepared) return prepared
    const result = await next(withCleanNotices(prepared, options))
    return orWithhold(call, () => {
      keepRaw?.(call, result)
      return scrubResult(call, result, options)
    })
  }
}

/** The call with the values it may have. A file is never given a token in place of the secret it stands for. */
function withValues(call: Call, { valuesOf, termsOf, writesFiles }: ScrubStageOptions): Call | Refusal {
  const tokens = call.method === 'tool' ? tokensIn(call.arguments) : undefined
  if (tokens === undefined || tokens.size === 0) return call
  const values = valuesOf(call.session, tokens)
  if (values.size === 0) return call
  const { value, notes, kept } = revealArguments(call.arguments, values, termsOf(call))
  addNotes(call.trail, notes)
  if (kept.length > 0 && writesFiles(call)) {
    return refusal('SECRET_NOT_REVEALED', { tool: call.tool, tokens: kept.slice(0, 10).join(', ') })
  }
  return { ...call, arguments: value }
}

/** Scrubs texts and writes down what was still in them. */
function cleanerFor(call: Call, { scrub, ownTexts }: ScrubStageOptions): Cleaner {
  const isOwn = (text: string): boolean => call.method === 'list' && ownTexts?.().has(text) === true
  return {
    isOwn,
    scrub: (text, key) => (isOwn(text) ? { text, findings: [] } : scrub(text, call, key)),
    found: (rule, place) => noteFinding(call.trail, { layer: 'C2', rule, place }),
  }
}

/** What a tool says while it runs. A notice that cannot be checked is lost; a question is not asked. */
function withCleanNotices(call: Call, options: ScrubStageOptions): Call {
  const { onFailure } = options
  const { onProgress, onLog, ask } = call
  const clean = cleanerFor(call, options)
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      onFailure(call, error)
    }
  }
  const askCleanly =
    (ask: Ask) =>
    async ({ kind, params }: AskRequest): Promise<JsonObject> => {
      try {
        params = cleanJson(params, 'question', clean)
      } catch (error) {
        onFailure(call, error)
        throw new ContextdError('SCRUB_FAILED')
      }
      return ask({ kind, params })
    }
  const cleaned: Mutable<Call> = { ...call }
  if (onProgress !== undefined) {
    cleaned.onProgress = (progress) =>
      attempt(() => onProgress(cleanJson({ ...progress }, 'progress', clean)))
  }
  if (onLog !== undefined) {
    cleaned.onLog = (level, message, logger) =>
      attempt(() =>
        onLog(
          level,
          cleanJson(message, 'log', clean),
          ...(logger === undefined ? [] : [cleanJson(logger, 'logger', clean)]),
        ),
      )
  }
  if (ask !== undefined) {
    cleaned.ask = Object.assign(askCleanly(ask), { kinds: ask.kinds, waits: ask.waits })
  }
  return cleaned
}

function scrubResult(call: Call, result: Result, options: ScrubStageOptions): Result {
  const { session } = call
  const { valuesOf, introductions } = options
  const scrubbed = cleanResult(result, cleanerFor(call, options))
  if (!isIntroducible(scrubbed) || introductions.has(session)) return scrubbed
  const tokens = tokensIn([[...scrubbed.content], scrubbed.structured ?? null])
  if (tokens.size === 0 || valuesOf(session, tokens).size === 0) return scrubbed
  introductions.add(session)
  return introduceTokens(scrubbed)
}
