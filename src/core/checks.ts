/**
 * Values to be checked for secrets and for other agents' private context. They are plain data, because a worker
 * thread may do the check.
 */

import type { Call } from './call.ts'
import { textOverhead } from '@contextd/scrub/internal/scrubbed'
import type { Json } from '@contextd/shared/json/value'
import type { Result } from './result.ts'
import type { FindingCount } from './trail.ts'

/** Without `secrets`, only other agents' private context is removed. */
export type Check =
  /** `own`: texts in it that contextd itself wrote. */
  | {
      readonly kind: 'result'
      readonly value: Result
      readonly secrets: boolean
      readonly own?: readonly string[]
    }
  /** `root`: prefix of the places of findings. */
  | { readonly kind: 'json'; readonly value: Json; readonly root: string; readonly secrets: boolean }
  /** For a record or another store: each text is masked first, then scrubbed. */
  | { readonly kind: 'record'; readonly value: Json; readonly secrets: boolean }
  /** The positions of the secrets in a text; the result is a flat list of start and end offsets. */
  | { readonly kind: 'spans'; readonly value: string }
  /** A part of a longer text. */
  | ({ readonly kind: 'text'; readonly value: string } & PartOptions)
  /** Texts that the same reader receives together: a secret recognized in one of them is removed from all. */
  | { readonly kind: 'texts'; readonly value: readonly KeyedText[] }
  /**
   * Which of the texts contain one of these secrets, in any form; the result is their indexes. May include false
   * positives.
   */
  | { readonly kind: 'known'; readonly value: readonly KeyedText[]; readonly secrets: readonly string[] }

export interface KeyedText {
  readonly text: string
  /** Its field name in a structure. */
  readonly key?: string | undefined
}

export interface CheckedTexts {
  /** In the order of the texts; undefined for unchanged texts. */
  readonly changed: readonly (ChangedText | undefined)[]
  /** How many new secret values this check discovered. */
  readonly learned: number
}

export interface ChangedText {
  readonly text: string
  /** The rules of everything that was removed, with repetitions. */
  readonly rules: readonly string[]
}

/**
 * How many secret values are known, and the version of the private context. As long as both are the same, checking a
 * text gives the same result.
 */
export interface Knowledge {
  readonly secrets: number
  readonly privacy: number
}

export interface PartOptions {
  /** The text before this part. It was already passed on, but may be needed to recognize what this part contains. */
  readonly before?: string
  /** Keep the line breaks of multi-line secrets, so that line numbers stay correct. */
  readonly keepLines?: boolean
}

export interface Checked<T> {
  readonly value: T
  readonly found: readonly FindingCount[]
  /** Tokens in a checked result; not necessarily all if there are very many. */
  readonly tokens: readonly string[]
}

/** On whose behalf a value is checked. */
export interface CheckFor {
  readonly tenant: string
  readonly session: string
  /** The id of the caller's token or certificate, which may have many sessions. */
  readonly token?: string | undefined
  /** Who will see it (see `callerName`); undefined for a record. */
  readonly reader: string | undefined
  readonly signal?: AbortSignal
}

/** For checking what `reader` will see of a call. */
export function checkFor({ tenant, session, claims, signal }: Call, reader: string | undefined): CheckFor {
  return { tenant, session, token: claims.token?.id, reader, signal }
}

/**
 * Key for fair queueing. It contains no name that callers choose, because a caller could then take the turns of many.
 */
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

/**
 * Small values are checked synchronously. Throws or rejects if the value cannot be checked: then it must be withheld.
 */
export type RunCheck = <K extends Check['kind']>(
  check: Extract<Check, { readonly kind: K }>,
  whose: CheckFor,
) => Checked<CheckedValues[K]> | Promise<Checked<CheckedValues[K]>>

/** What a value costs to check, roughly in characters. Stops counting above `max`. */
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
