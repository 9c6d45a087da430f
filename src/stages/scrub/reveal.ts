/** Decides which tokens are replaced by their secrets: the rules name the tool, the argument and the host. Pure. */

import type { FileTokens } from '../../core/tokens/file-tokens.ts'
import { isJsonObject, mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { RevealRule } from '../../core/ports.ts'
import { tokenPattern } from '@contextd/scrub/internal/secret-token'
import type { WrittenFile } from '../../core/tool.ts'
import { argumentToName, maxNotes, nameArgument } from '../../core/tokens/token-notes.ts'
import { destinationsIn, isAddressOf, isDestination } from './destinations.ts'
import { isPlainRequest } from './plain-request.ts'

/** The rules for one call. */
export interface RevealTerms {
  readonly tool: string
  /** Whether the caller has the capability `secret:reveal`. */
  readonly granted: boolean
  readonly rules: readonly RevealRule[]
  /** The arguments are interpreted by a shell, which may do more than they show. */
  readonly runsCommands: boolean
}

export interface Revealed<T> {
  readonly value: T
  /** For the audit log: which tokens were restored or not, by name, never a value. */
  readonly notes: readonly string[]
  /** Tokens of secrets that were not restored. */
  readonly kept: readonly KeptToken[]
  /** The values that were restored. */
  readonly given: readonly string[]
}

export interface KeptToken {
  readonly token: string
  /** Its argument, if that can be shown. */
  readonly argument?: string
  readonly why: WhyKept
}

/** Why a token is not restored. */
export type WhyKept =
  /** `name`: in a field name. `unclear`: the file contains both the secret and, literally, its token. */
  | { readonly kind: 'name' | 'escaped' | 'unclear' | 'no-grant' | 'no-rule' }
  /** There is a rule, but the value might not be sent only to its host. */
  | { readonly kind: 'host'; readonly hosts: readonly string[] }

/** For messages and audit records. */
export function describeWhy(why: WhyKept): string {
  return why.kind === 'host' ? `not certain to go to ${why.hosts.join(' or ')} alone` : whyTexts[why.kind]
}

const whyTexts: Readonly<Record<Exclude<WhyKept['kind'], 'host'>, string>> = {
  name: 'a name',
  escaped: 'escaped',
  unclear: 'the file contains both the secret and the characters of the token',
  'no-grant': 'secret:reveal is not granted',
  'no-rule': 'no rule',
}

/** The file that a call writes, the arguments whose text is written, and what they replace. */
export interface RevealFile extends Omit<WrittenFile, 'text'> {
  readonly tokens: FileTokens
}

/** The values by token; other tokens were never issued, and are plain text. */
export type TokenValues = ReadonlyMap<string, string>

/** The arguments as the tool receives them. A secret that is already in the written file needs no rule. */
export function revealArguments(
  args: JsonObject,
  values: TokenValues,
  terms: RevealTerms,
  file?: RevealFile,
): Revealed<JsonObject> {
  const revealer = createRevealer(args, values, terms, file)
  const revealed = Object.entries(args).map(([name, value]): [string, Json] => {
    const change =
      (replaced?: string) =>
      (text: string, key?: string): string =>
        // Values do not belong in field names.
        key === undefined ? revealer.keep(text, name) : revealer.reveal(text, name, replaced)
    const replaced = file?.replaced
    const mapped =
      Array.isArray(value) && typeof replaced === 'object'
        ? value.map((item, index) => mapStrings(item, change(replaced[index]), name))
        : mapStrings(value, change(typeof replaced === 'object' ? undefined : replaced), name)
    return [revealer.keep(name, name), mapped]
  })
  return { value: Object.fromEntries(revealed), ...revealer.close() }
}

/** A text that is not an argument: rules that name an argument do not apply. */
export function revealText(
  text: string,
  args: JsonObject,
  values: TokenValues,
  terms: RevealTerms,
): Revealed<string> {
  const revealer = createRevealer({ ...args, '': text }, values, terms)
  return { value: revealer.reveal(text, undefined), ...revealer.close() }
}

function createRevealer(args: JsonObject, values: TokenValues, terms: RevealTerms, file?: RevealFile) {
  const notes = new Set<string>()
  const kept = new Map<string, KeptToken>()
  const given = new Set<string>()
  const whyNot = createTokenJudge(args, terms)

  type Change = (token: string, value: string, offset: number) => string
  const eachToken = (text: string, change: Change): string =>
    text.replace(tokenPattern, (token, offset: number) => {
      const value = values.get(token)
      return value === undefined ? token : change(token, value, offset)
    })
  const note = (what: string, token: string, argument: string | undefined, why?: string): void => {
    notes.add(`${what}: ${token} in ${nameArgument(argument)}${why === undefined ? '' : ` (${why})`}`)
  }
  const refuse = (token: string, argument: string | undefined, why: WhyKept): string => {
    note('reveal refused', token, argument, describeWhy(why))
    const named = argumentToName(argument)
    kept.set(`${token} ${argument}`, { token, why, ...(named !== undefined && { argument: named }) })
    return token
  }
  const restore = (written: string, token: string, argument: string | undefined, why?: string): string => {
    note(why === undefined ? 'revealed' : 'restored', token, argument, why)
    given.add(written)
    return written
  }
  return {
    reveal: (text: string, argument: string | undefined, replaced?: string): string => {
      const inFile = argument !== undefined && file?.arguments.includes(argument) ? file : undefined
      const meanings = inFile?.tokens.meanings(text, replaced)
      return eachToken(text, (token, value, offset) => {
        const meaning = meanings?.get(offset)
        if (meaning?.kind === 'literal') return token
        if (meaning?.kind === 'unclear') return refuse(token, argument, { kind: 'unclear' })
        if (meaning?.kind === 'secret')
          return restore(meaning.text, token, argument, 'its secret is in the file')
        const why = whyNot(argument, text, token, value)
        if (why === undefined) return restore(value, token, argument)
        // The file contains the token literally, so it means just that.
        return inFile?.tokens.hasLiteral(token) === true ? token : refuse(token, argument, why)
      })
    },
    keep: (text: string, argument: string): string =>
      eachToken(text, (token) => refuse(token, argument, { kind: 'name' })),
    close: () => ({ notes: [...notes].slice(0, maxNotes), kept: [...kept.values()], given: [...given] }),
  }
}

export type JudgeToken = (
  argument: string | undefined,
  text: string,
  token: string,
  value: string,
) => WhyKept | undefined

/** Returns why a token is not restored, or undefined if it may be. */
export function createTokenJudge(
  args: JsonObject,
  { tool, granted, rules, runsCommands }: RevealTerms,
): JudgeToken {
  if (!granted) return () => ({ kind: 'no-grant' })
  const toolRules = rules.filter((rule) => rule.tool === tool)
  const checks = new Map<string, MayReveal>()
  const checkFor = (host: string): MayReveal => {
    const check = checks.get(host) ?? revealCheck(args, host, runsCommands)
    checks.set(host, check)
    return check
  }
  return (argument, text, token, value) => {
    const applicable = toolRules.filter((rule) => rule.argument === undefined || rule.argument === argument)
    if (applicable.length === 0) return { kind: 'no-rule' }
    const hosts = applicable.flatMap(({ host }) => host ?? [])
    if (hosts.length < applicable.length) return undefined
    if (hosts.some((host) => checkFor(host)(text, token, value))) return undefined
    return { kind: 'host', hosts }
  }
}

/** Whether a value in this position is only sent to the host, as far as the text shows. */
type MayReveal = (text: string, token: string, value: string) => boolean

const neverReveals: MayReveal = () => false

function revealCheck(args: JsonObject, host: string, runsCommands: boolean): MayReveal {
  const all = readArguments(args).flatMap(({ text, key }) => destinationsIn(text, key))
  if (!all.every((found) => isDestination(found, host))) return neverReveals
  return runsCommands ? commandRevealCheck(args, host) : fetchRevealCheck(args, host)
}

/** The command must be the only argument that matters; others must not change its meaning. */
function commandRevealCheck(args: JsonObject, host: string): MayReveal {
  const relevant = Object.values(args).filter((value) => !isWordOrPath(value))
  if (relevant.length > 1) return neverReveals
  const terms = {
    holdsToken: (word: string) => word.includes(placeholder),
    isAddress: (word: string) => isAddressOf(word, host),
  }
  return (text, token, value) =>
    relevant[0] === text && isInert(text, token, value) && isPlainRequest(withPlaceholders(text), terms)
}

function isWordOrPath(value: Json): boolean {
  if (typeof value === 'string') return /^[\w.,:/@~-]*$/.test(value)
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0
}

/** One argument must be the address: a host that is merely mentioned is not where a call goes. */
function fetchRevealCheck(args: JsonObject, host: string): MayReveal {
  const isAddress = (value: Json): boolean =>
    typeof value === 'string' && isAddressOf(withPlaceholders(value), host)
  if (!Object.values(args).some(isAddress)) return neverReveals
  return (text, token, value) => {
    if (destinationsIn(withPlaceholders(text)).length === 0) return !value.includes('://')
    return isInert(text, token, value) && isAddress(text)
  }
}

/** Every text in the arguments, including names and numbers, with its field name. */
function readArguments(args: JsonObject): { text: string; key?: string }[] {
  const texts: { text: string; key?: string }[] = []
  const walk = (value: Json, key: string): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      texts.push({ text: withPlaceholders(String(value)), key })
    } else if (Array.isArray(value)) {
      for (const item of value) walk(item, key)
    } else if (isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        texts.push({ text: withPlaceholders(name) })
        walk(item, name)
      }
    }
  }
  walk(args, '')
  return texts
}

/** Looks like part of a name, so that `[SECRET_1].example.com` is recognized as a single name. */
const placeholder = 'SECRET-0-SECRET'
const withPlaceholders = (text: string): string => text.replace(tokenPattern, placeholder)

/** Has no special meaning in a shell or an address. */
function isInert(text: string, token: string, value: string): boolean {
  return /^[\w.+=%:,/~-]+$/.test(value) && !(isInAuthority(text, token) && value.includes('/'))
}

/** In the authority of an address, which determines the host. */
function isInAuthority(text: string, token: string): boolean {
  return Array.from(text.matchAll(/[/\\]{2,}([^/?#\s]*)/g)).some(([, authority = '']) =>
    authority.includes(token),
  )
}
