import { callerName, OWN_SERVER, type Call } from '../../core/call.ts'
import { checkFor, type Checked, type CheckFor, type RunCheck } from '../../core/checks.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { createFileTokens } from '../../core/tokens/file-tokens.ts'
import type { Json } from '@contextd/shared/json/value'
import type { PrivateContext } from '../../core/ports.ts'
import { refusal, type Refusal, type Result } from '../../core/result.ts'
import { tokensIn, tokensInShell } from '../../core/tokens/secret-forms.ts'
import type { Next, Stage } from '../../core/stage.ts'
import type { WrittenFile } from '../../core/tool.ts'
import { addNotes, noteFinding } from '../../core/trail.ts'
import { withCleanNotices } from './clean-notices.ts'
import { addNote, introduceTokens, isIntroducible } from './introduction.ts'
import { escapedTokens, noteKept, refuseKept, type KeptPolicy } from './kept-tokens.ts'
import { revealArguments, type RevealTerms, type TokenValues } from './reveal.ts'

export interface ScrubStageOptions {
  readonly check: RunCheck
  /** Reports which agents have private context in the session. */
  readonly privacy: Pick<PrivateContext, 'holders'>
  /** The values of the tokens issued to the session. */
  readonly valuesOf: (session: string, tokens: Iterable<string>) => TokenValues
  /** Records in which sessions tokens were explained. */
  readonly introductions: { has(session: string): boolean; add(session: string): unknown }
  readonly termsOf: (call: Call) => RevealTerms
  /** Called with the values that were revealed to the call. */
  readonly onGiven: (call: Call, values: readonly string[]) => void
  /** The file that the call writes, if its tool reports it and the caller may read it. */
  readonly writtenFile: (call: Call) => Promise<WrittenFile | undefined>
  /** How to treat tokens that are not restored. */
  readonly keptPolicy: (call: Call) => Promise<KeptPolicy>
  /**
   * Texts that we wrote ourselves, such as our tools' descriptions: they need no check, because clients wait for the
   * list at start.
   */
  readonly ownTexts?: () => ReadonlySet<string>
  /** Stores raw outputs before they are scrubbed, if the vault is enabled. */
  readonly keepRaw?: (call: Call, raw: Result) => void
  /** Masks a request to a model, and makes the rewriter of its response restore values. */
  readonly prepareModel: (call: Call) => Promise<Call | Refusal>
  readonly onFailure: (call: Call, error: unknown) => void
}

/** For a caller that sent another agent's private context, which would otherwise wonder about the replacement. */
export const privateNote =
  'Part of what you sent is private to another agent of this session: [PRIVATE] replaces it.'

/**
 * On the way in, other agents' private context is masked, and an allowed tool gets real values for its tokens.
 * Everything that comes back, including while the tool runs, is masked and scrubbed. What cannot be checked is
 * withheld.
 */
export function scrubStage(options: ScrubStageOptions): Stage {
  const { keepRaw, onFailure, prepareModel } = options
  const orWithhold = async <T>(
    call: Call,
    work: () => T | Promise<T>,
    code: 'SCRUB_FAILED' | 'MODEL_REQUEST_UNCHECKED' = 'SCRUB_FAILED',
  ): Promise<T | Refusal> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CodedError && error.code === 'SCRUB_QUEUE_FULL') return refusal(error.code)
      if (!call.signal.aborted) onFailure(call, error)
      return refusal(code)
    }
  }
  const handleModel = async (call: Call, next: Next): Promise<Result> => {
    const prepared = await orWithhold(call, () => prepareModel(call), 'MODEL_REQUEST_UNCHECKED')
    if ('kind' in prepared) return prepared
    // The response itself has already been sent. The result is a report that contains names chosen by the provider.
    const result = await next(prepared)
    return orWithhold(call, () => scrubResult(call, result, options))
  }
  return async (call, next) => {
    if (call.method === 'model') return handleModel(call, next)
    let sent = call
    const prepared = await orWithhold(call, async () => {
      sent = await withoutPrivate(call, options)
      return withValues(sent, options)
    })
    if ('kind' in prepared) return prepared
    const notices = withCleanNotices(prepared.call, {
      clean: async (value, root) => cleanedJson(call, value, root, options),
      onFailure: (error) => onFailure(call, error),
    })
    const result = await next(notices.call)
    await notices.settled()
    // A catalogue of names and ids would become a list of tokens.
    if (result.kind === 'answer' && result.isPrivate === true) return result
    return orWithhold(call, async () => {
      if (keepRaw !== undefined) {
        const record = checkFor(call, undefined)
        keepRaw(call, (await options.check({ kind: 'result', value: result, secrets: false }, record)).value)
      }
      const scrubbed = await scrubResult(call, result, options)
      if (scrubbed.kind !== 'answer') return scrubbed
      const notes = sent === call ? prepared.notes : [privateNote, ...prepared.notes]
      return notes.reduce(addNote, scrubbed)
    })
  }
}

function whose(call: Call): CheckFor {
  return checkFor(call, callerName(call))
}

/** Records the findings. */
function withNotedFindings<T>({ trail }: Call, { found, value }: Checked<T>): T {
  for (const { rule, place, count } of found) {
    noteFinding(trail, { layer: 'C2', rule, ...(place !== undefined && { place }) }, count)
  }
  return value
}

async function cleanedJson<T extends Json>(
  call: Call,
  value: T,
  root: string,
  { check }: Pick<ScrubStageOptions, 'check'>,
): Promise<T> {
  return withNotedFindings(call, await check({ kind: 'json', value, root, secrets: true }, whose(call))) as T
}

/** The only argument that must stay unchanged: a caller that passes another agent's key is refused by the broker. */
const contextKey = { tool: 'load_context', argument: 'key' } as const

/** The call without other agents' private context; the same object if it has no such context. */
async function withoutPrivate(call: Call, { privacy, check }: ScrubStageOptions): Promise<Call> {
  const { method, server, tool, session } = call
  if (method === 'list' || privacy.holders(session).length === 0) return call
  let isMasked = false
  const masked = async <T extends Json>(value: T, root: string): Promise<T> => {
    const checked = await check({ kind: 'json', value, root, secrets: false }, whose(call))
    isMasked ||= checked.found.length > 0
    return withNotedFindings(call, checked) as T
  }
  const { [contextKey.argument]: key, ...others } = call.arguments
  const passesKey = server === OWN_SERVER && tool === contextKey.tool && key !== undefined
  const args = await masked(passesKey ? others : call.arguments, 'arguments')
  // Names of tools and prompts are chosen by others; an address is written by the caller.
  const target = method === 'tool' || method === 'prompt' ? tool : await masked(tool, 'address')
  if (!isMasked) return call
  return { ...call, tool: target, arguments: passesKey ? { ...args, [contextKey.argument]: key } : args }
}

interface Prepared {
  readonly call: Call
  /** For the answer. */
  readonly notes: readonly string[]
}

/** The call with the values it may have. No file, command or server receives a token in place of a secret unnoticed. */
async function withValues(call: Call, options: ScrubStageOptions): Promise<Prepared | Refusal> {
  if (call.method !== 'tool') return { call, notes: [] }
  const terms = options.termsOf(call)
  const tokens = (terms.runsCommands ? tokensInShell : tokensIn)(call.arguments)
  if (tokens.size === 0) return { call, notes: [] }
  const values = options.valuesOf(call.session, tokens)
  if (values.size === 0) return { call, notes: [] }
  const written = await options.writtenFile(call)
  const file = written && { ...written, tokens: createFileTokens(written.text, values) }
  const { value, notes, kept, given } = revealArguments(call.arguments, values, terms, file)
  addNotes(call.trail, notes)
  options.onGiven(call, given)
  const revealed = { ...call, arguments: value }
  const all = [...kept, ...(terms.runsCommands ? escapedTokens(call.arguments, values) : [])]
  if (all.length === 0) return { call: revealed, notes: [] }
  const policy = await options.keptPolicy(call)
  if (policy === 'refuse' || policy === 'refuse-write') return refuseKept(call, policy, all, terms)
  return { call: revealed, notes: policy === 'note' ? [noteKept(call, all)] : [] }
}

async function scrubResult(call: Call, result: Result, options: ScrubStageOptions): Promise<Result> {
  const { session, method } = call
  const { check, valuesOf, introductions, ownTexts } = options
  const own = method === 'list' && ownTexts !== undefined ? { own: [...ownTexts()] } : {}
  const checked = await check({ kind: 'result', value: result, secrets: true, ...own }, whose(call))
  const scrubbed = withNotedFindings(call, checked)
  if (!isIntroducible(scrubbed) || introductions.has(session)) return scrubbed
  const { tokens } = checked
  if (tokens.length === 0 || valuesOf(session, tokens).size === 0) return scrubbed
  introductions.add(session)
  return introduceTokens(scrubbed)
}
