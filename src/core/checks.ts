/** Values to be checked for secrets and for what is private to another agent: as data, because another thread may do it. */

import type { Call } from './call.ts'
import { textOverhead } from '@contextd/scrub/internal/scrubbed'
import type { Json } from '@contextd/shared/json/value'
import type { Result } from './result.ts'
import type { FindingCount } from './trail.ts'

/** Without `secrets` only what is private to another agent is taken out. */
export type Check =
  /** `own`: texts in it that we wrote ourselves. */
  | {
      readonly kind: 'result'
      readonly value: Result
      readonly secrets: boolean
      readonly own?: readonly string[]
    }
  /** `root`: what the places of findings begin with. */
  | { readonly kind: 'json'; readonly value: Json; readonly root: string; readonly secrets: boolean }
  /** For a record, or for another store: masked first, then scrubbed, text by text. */
  | { readonly kind: 'record'; readonly value: Json; readonly secrets: boolean }
  /** Where the secrets of a text are: their starts and ends in turn, as the value. */
  | { readonly kind: 'spans'; readonly value: string }
  /** A part of a longer text. */
  | ({ readonly kind: 'text'; readonly value: string } & PartOptions)
  /** Texts that one reader gets together: what one of them gives away is taken out of all. */
  | { readonly kind: 'texts'; readonly value: readonly KeyedText[] }
  /** Which of the texts contain one of these secrets, in any form: their indexes, as the value. Errs towards more. */
  | { readonly kind: 'known'; readonly value: readonly KeyedText[]; readonly secrets: readonly string[] }

export interface KeyedText {
  readonly text: string
  /** The name it is under in a structure. */
  readonly key?: string | undefined
}

export interface CheckedTexts {
  /** In the order of the texts; undefined for those that stay as they are. */
  readonly changed: readonly (ChangedText | undefined)[]
  /** How many values became known by this check. */
  readonly learned: number
}

export interface ChangedText {
  readonly text: string
  /** Of everything that was taken out, with repetitions. */
  readonly rules: readonly string[]
}

/**
 * How many values became known to be secret so far, and the version of what is private. While both stay the same, so does what a
 * text becomes.
 */
export interface Knowledge {
  readonly secrets: number
  readonly privacy: number
}

export interface PartOptions {
  /** The text before this part: it was passed on already, and it may say what the first lines are. */
  readonly before?: string
  /** A secret of many lines leaves as many behind, so that line numbers stay right. */
  readonly keepLines?: boolean
}

export interface Checked<T> {
  readonly value: T
  readonly found: readonly FindingCount[]
  /** Tokens in a checked result; not necessarily all of very many. */
  readonly tokens: readonly string[]
}

/** Who has something checked. */
export interface CheckFor {
  readonly tenant: string
  readonly session: string
  /** The id of the token or certificate that was shown, which may have many sessions. */
  readonly token?: string | undefined
  /** Who will see it (see `callerName`); undefined: a record. */
  readonly reader: string | undefined
  readonly signal?: AbortSignal
}

/** What `reader` will see of a call. */
export function checkFor({ tenant, session, claims, signal }: Call, reader: string | undefined): CheckFor {
  return { tenant, session, token: claims.token?.id, reader, signal }
}

/** Callers take turns by it. No name that a caller chooses is part of it: it could take the turns of many. */
export function callerKey({
  tenant,
  session,
  token,
}: Pick<CheckFor, 'tenant' | 'session' | 'token'>): string {
  return JSON.stringify([tenant, ...(token === undefined ? ['session', session] : ['token', token])])
}

interface CheckedValues {
  readonly result: Result
  readonly json: Json
  readonly record: Json
  readonly spans: number[]
  readonly text: string
  readonly texts: CheckedTexts
  readonly known: readonly number[]
}

/** Small values are checked at once. Throws or rejects where it cannot vouch for the value: then it is withheld. */
export type RunCheck = <K extends Check['kind']>(
  check: Extract<Check, { readonly kind: K }>,
  whose: CheckFor,
) => Checked<CheckedValues[K]> | Promise<Checked<CheckedValues[K]>>

/** What a value costs to check, about its characters. Stops counting above `max`. */
export function sizeOf(value: unknown, max: number): number {
  let size = 0
  const walk = (item: unknown): void => {
    size += 1
    if (typeof item === 'string') size += item.length + textOverhead
    else if (Array.isArray(item)) {
      for (const one of item) {
        if (size > max) return
        walk(one)
      }
    } else if (typeof item === 'object' && item !== null) {
      for (const name in item) {
        if (size > max) return
        size += name.length + textOverhead
        walk((item as Record<string, unknown>)[name])
      }
    }
  }
  walk(value)
  return size
}
