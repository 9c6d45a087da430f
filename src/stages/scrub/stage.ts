import { callerName, OWN_SERVER, type Ask, type AskRequest, type Call } from '../../core/call.ts'
import { ContextdError } from '../../core/errors.ts'
import { bothFindings } from '../../core/findings.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Mutable } from '../../core/mutable.ts'
import type { PrivateContext, Scrub } from '../../core/ports.ts'
import { refusal, type Refusal, type Result } from '../../core/result.ts'
import type { Stage } from '../../core/stage.ts'
import { addNotes, noteFinding } from '../../core/trail.ts'
import { cleanJson, cleanResult, type Cleaner } from './clean-result.ts'
import { addNote, introduceTokens, isIntroducible } from './introduction.ts'
import { revealArguments, tokensIn, type RevealTerms, type TokenValues } from './reveal.ts'

export interface ScrubStageOptions {
  readonly scrub: Scrub
  /** What is private to other agents of the session. */
  readonly privacy: Pick<PrivateContext, 'mask' | 'holders'>
  /** The values of those tokens that the session was given. */
  readonly valuesOf: (session: string, tokens: Iterable<string>) => TokenValues
  /** Whether the agent was told what a token is, and the note that it now is. */
  readonly introductions: { has(session: string): boolean; add(session: string): unknown }
  readonly termsOf: (call: Call) => RevealTerms
  /** Hears which values the call was given. */
  readonly onGiven: (call: Call, values: readonly string[]) => void
  /** Whether the tool puts what it is given into files. */
  readonly writesFiles: (call: Call) => boolean
  /** Texts that we wrote ourselves, such as the descriptions of our tools: a client waits for them at start. */
  readonly ownTexts?: () => ReadonlySet<string>
  /** Where raw outputs go before they are scrubbed, when the vault is switched on. */
  readonly keepRaw?: (call: Call, raw: Result) => void
  readonly onFailure: (call: Call, error: unknown) => void
}

/** Said to whoever sent what is another agent's: else it wonders what became of its words. */
export const privateNote =
  'Part of what you sent is private to another agent of this session: [PRIVATE] stands in its place.'

/**
 * On the way in, what is private to another agent is masked, and an allowed tool gets real values for its tokens.
 * Everything that comes back, also while the tool runs, is masked and scrubbed. What cannot be checked is withheld, not
 * passed on.
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
    let sent = call
    const prepared = orWithhold(call, () => {
      sent = withoutPrivate(call, options)
      return withValues(sent, options)
    })
    if ('kind' in prepared) return prepared
    const result = await next(withCleanNotices(prepared, options))
    // A catalogue of names and ids would come out as a list of tokens.
    if (result.kind === 'answer' && result.isPrivate === true) return result
    return orWithhold(call, () => {
      keepRaw?.(call, cleanResult(result, maskerFor(call, undefined, options)))
      const scrubbed = scrubResult(call, result, options)
      return sent !== call && scrubbed.kind === 'answer' ? addNote(scrubbed, privateNote) : scrubbed
    })
  }
}

/** The one argument that must arrive as it was sent: whoever passes the key of another agent is refused by the broker. */
const contextKey = { tool: 'load_context', argument: 'key' } as const

/** The call without what is private to another agent: the same one where there is nothing of that. */
function withoutPrivate(call: Call, options: ScrubStageOptions): Call {
  const { method, server, tool, session } = call
  if (method === 'list' || options.privacy.holders(session).length === 0) return call
  let isMasked = false
  const masker = maskerFor(call, callerName(call), options, (rule, place) => {
    isMasked = true
    noteFinding(call.trail, { layer: 'C2', rule, place })
  })
  const { [contextKey.argument]: key, ...others } = call.arguments
  const keepsKey = server === OWN_SERVER && tool === contextKey.tool && key !== undefined
  const masked = cleanJson(keepsKey ? others : call.arguments, 'arguments', masker)
  // The names of tools and prompts are others' to choose; an address is what the caller writes.
  const aimed = method === 'tool' || method === 'prompt' ? tool : cleanJson(tool, 'address', masker)
  if (!isMasked) return call
  return { ...call, tool: aimed, arguments: keepsKey ? { ...masked, [contextKey.argument]: key } : masked }
}

/** Takes out what `caller` may not see, and nothing else. */
function maskerFor(
  { session }: Call,
  caller: string | undefined,
  { privacy }: ScrubStageOptions,
  found: Cleaner['found'] = () => {},
): Cleaner {
  return {
    isOwn: () => false,
    scrub: (text) => privacy.mask(text, session, caller),
    found,
  }
}

/** The call with the values it may have. A file is never given a token in place of the secret it stands for. */
function withValues(
  call: Call,
  { valuesOf, termsOf, writesFiles, onGiven }: ScrubStageOptions,
): Call | Refusal {
  const tokens = call.method === 'tool' ? tokensIn(call.arguments) : undefined
  if (tokens === undefined || tokens.size === 0) return call
  const values = valuesOf(call.session, tokens)
  if (values.size === 0) return call
  const { value, notes, kept, given } = revealArguments(call.arguments, values, termsOf(call))
  addNotes(call.trail, notes)
  onGiven(call, given)
  if (kept.length > 0 && writesFiles(call)) {
    return refusal('SECRET_NOT_REVEALED', { tool: call.tool, tokens: kept.slice(0, 10).join(', ') })
  }
  return { ...call, arguments: value }
}

/** Masks and scrubs texts, and writes down what was still in them. */
function cleanerFor(call: Call, options: ScrubStageOptions): Cleaner {
  const { scrub, ownTexts } = options
  const isOwn = (text: string): boolean => call.method === 'list' && ownTexts?.().has(text) === true
  const masker = maskerFor(call, callerName(call), options)
  return {
    isOwn,
    scrub: (text, key) =>
      isOwn(text) ? { text, findings: [] } : bothFindings(text, scrub(text, call, key), masker.scrub(text)),
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
