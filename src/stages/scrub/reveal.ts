/** Who gets a secret back: the rules name the tool, the argument and the host. Pure: values in, arguments out. */

import type { FileTokens } from '../../core/tokens/file-tokens.ts'
import { isJsonObject, mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { RevealRule } from '../../core/ports.ts'
import { tokenPattern } from '@contextd/scrub/internal/secret-token'
import type { WrittenFile } from '../../core/tool.ts'
import { argumentToName, maxNotes, nameArgument } from '../../core/tokens/token-notes.ts'
import { destinationsIn, isAddressOf, isDestination } from './destinations.ts'
import { isPlainRequest } from './plain-request.ts'

/** What the rules say for one call. */
export interface RevealTerms {
  readonly tool: string
  /** Whether the caller has `secret:reveal` at all. */
  readonly granted: boolean
  readonly rules: readonly RevealRule[]
  /** A shell reads the arguments, and may make more of them than they say. */
  readonly runsCommands: boolean
}

export interface Revealed<T> {
  readonly value: T
  /** What was put back and what was not, for the audit: tokens and arguments by name, never a value. */
  readonly notes: readonly string[]
  /** Tokens that represent a secret and stay. */
  readonly kept: readonly KeptToken[]
  /** The values that were put back. */
  readonly given: readonly string[]
}

export interface KeptToken {
  readonly token: string
  /** Where it is, if that can be shown. */
  readonly argument?: string
  readonly why: WhyKept
}

/** Why a token is not restored. */
export type WhyKept =
  /** `name`: in the name of a field. `unclear`: the file contains the secret and the characters of the token. */
  | { readonly kind: 'name' | 'escaped' | 'unclear' | 'no-grant' | 'no-rule' }
  /** There is a rule, but the value might not go to its host alone. */
  | { readonly kind: 'host'; readonly hosts: readonly string[] }

/** For messages and the audit. */
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

/** The file that a call writes, the arguments whose text goes into it, and what of it they replace. */
export interface RevealFile extends Omit<WrittenFile, 'text'> {
  readonly tokens: FileTokens
}

/** The values by token; a token that is not in it was never given, and is text like any other. */
export type TokenValues = ReadonlyMap<string, string>

/** The arguments as the tool gets them. What is in the file already needs no rule to stay there. */
export function revealArguments(
  args: JsonObject,
  values: TokenValues,
  terms: RevealTerms,
  file?: RevealFile,
): Revealed<JsonObject> {
  const book = openBook(args, values, terms, file)
  const revealed = Object.entries(args).map(([name, value]): [string, Json] => {
    const change = (text: string, key?: string): string =>
      // A key of a structure is nothing that a value belongs into.
      key === undefined ? book.keep(text, name) : book.reveal(text, name)
    return [book.keep(name, name), mapStrings(value, change, name)]
  })
  return { value: Object.fromEntries(revealed), ...book.close() }
}

/** A text that is no argument: rules that name one say nothing about it. */
export function revealText(
  text: string,
  args: JsonObject,
  values: TokenValues,
  terms: RevealTerms,
): Revealed<string> {
  const book = openBook({ ...args, '': text }, values, terms)
  return { value: book.reveal(text, undefined), ...book.close() }
}

function openBook(args: JsonObject, values: TokenValues, terms: RevealTerms, file?: RevealFile) {
  const notes = new Set<string>()
  const kept = new Map<string, KeptToken>()
  const given = new Set<string>()
  const whyNot = judge(args, terms)

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
  const give = (written: string, token: string, argument: string | undefined, why?: string): string => {
    note(why === undefined ? 'revealed' : 'restored', token, argument, why)
    given.add(written)
    return written
  }
  return {
    reveal: (text: string, argument: string | undefined): string => {
      const inFile = argument !== undefined && file?.arguments.includes(argument) ? file : undefined
      const meanings = inFile?.tokens.meanings(text, inFile.replaced)
      return eachToken(text, (token, value, offset) => {
        const meaning = meanings?.get(offset)
        if (meaning?.kind === 'literal') return token
        if (meaning?.kind === 'unclear') return refuse(token, argument, { kind: 'unclear' })
        if (meaning?.kind === 'secret')
          return give(meaning.text, token, argument, 'its secret is in the file')
        const why = whyNot(argument, text, token, value)
        if (why === undefined) return give(value, token, argument)
        // Somebody wrote these characters into the file, and they are no more than that.
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

/** Answers why a token stays, undefined where it may become its value. */
export function judge(args: JsonObject, { tool, granted, rules, runsCommands }: RevealTerms): JudgeToken {
  if (!granted) return () => ({ kind: 'no-grant' })
  const ofTool = rules.filter((rule) => rule.tool === tool)
  const checks = new Map<string, MayReveal>()
  const checkFor = (host: string): MayReveal => {
    const check = checks.get(host) ?? revealCheck(args, host, runsCommands)
    checks.set(host, check)
    return check
  }
  return (argument, text, token, value) => {
    const fitting = ofTool.filter((rule) => rule.argument === undefined || rule.argument === argument)
    if (fitting.length === 0) return { kind: 'no-rule' }
    const hosts = fitting.flatMap(({ host }) => host ?? [])
    if (hosts.length < fitting.length) return undefined
    if (hosts.some((host) => checkFor(host)(text, token, value))) return undefined
    return { kind: 'host', hosts }
  }
}

/** Whether a value in this place goes to the host and nowhere else, as far as the text can show. */
type MayReveal = (text: string, token: string, value: string) => boolean

const neverReveals: MayReveal = () => false

function revealCheck(args: JsonObject, host: string, runsCommands: boolean): MayReveal {
  const all = readArguments(args).flatMap(({ text, key }) => destinationsIn(text, key))
  if (!all.every((found) => isDestination(found, host))) return neverReveals
  return runsCommands ? commandRevealCheck(args, host) : fetchRevealCheck(args, host)
}

/** What the arguments say is run, and nothing that is given beside it may change what that means. */
function commandRevealCheck(args: JsonObject, host: string): MayReveal {
  const beside = Object.values(args).filter((value) => !isWordOrPath(value))
  if (beside.length > 1) return neverReveals
  const terms = {
    holdsToken: (word: string) => word.includes(standIn),
    isAddress: (word: string) => isAddressOf(word, host),
  }
  return (text, token, value) =>
    beside[0] === text && isInert(text, token, value) && isPlainRequest(withStandIns(text), terms)
}

function isWordOrPath(value: Json): boolean {
  if (typeof value === 'string') return /^[\w.,:/@~-]*$/.test(value)
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0
}

/** One argument has to be the address: a host that a text only speaks of is no place that a call goes to. */
function fetchRevealCheck(args: JsonObject, host: string): MayReveal {
  const isAddress = (value: Json): boolean =>
    typeof value === 'string' && isAddressOf(withStandIns(value), host)
  if (!Object.values(args).some(isAddress)) return neverReveals
  return (text, token, value) => {
    if (destinationsIn(withStandIns(text)).length === 0) return !value.includes('://')
    return isInert(text, token, value) && isAddress(text)
  }
}

/** Every text of the arguments, names and numbers too, with the key it stands under. */
function readArguments(args: JsonObject): { text: string; key?: string }[] {
  const texts: { text: string; key?: string }[] = []
  const walk = (value: Json, key: string): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      texts.push({ text: withStandIns(String(value)), key })
    } else if (Array.isArray(value)) {
      for (const item of value) walk(item, key)
    } else if (isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        texts.push({ text: withStandIns(name) })
        walk(item, name)
      }
    }
  }
  walk(args, '')
  return texts
}

/** Looks like a part of a name, so that `[SECRET_1].example.com` is seen as the one name it will be. */
const standIn = 'SECRET-0-SECRET'
const withStandIns = (text: string): string => text.replace(tokenPattern, standIn)

/** Means nothing to a shell, and nothing to whoever reads an address. */
function isInert(text: string, token: string, value: string): boolean {
  return /^[\w.+=%:,/~-]+$/.test(value) && !(isInAuthority(text, token) && value.includes('/'))
}

/** In the part of an address that says which host it is. */
function isInAuthority(text: string, token: string): boolean {
  return Array.from(text.matchAll(/[/\\]{2,}([^/?#\s]*)/g)).some(([, authority = '']) =>
    authority.includes(token),
  )
}
