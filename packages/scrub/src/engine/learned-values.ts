/** The values that a scrubber searches for, and those that wait until they are prepared for the search. */

import { isDistinctive } from '../known/known-strength.ts'
import { createKnownValues, type KnownValues } from '../known/known-values.ts'
import type { FoundSecret, SessionTokens } from '../tokens/session-tokens.ts'
import { ownString } from '@contextd/shared/text/own-string'
import { NotBrief, type BriefLimits } from './brief-limits.ts'

export interface LearnedValues {
  readonly searched: Pick<KnownValues, 'find' | 'has' | 'size'>
  /** Adds a value found in a text; it waits if too many were prepared. Throws `NotBrief` if the check has too many. */
  add(value: string, rule: string): void
  /** Searches for the value from now on. */
  addNow(value: string, rule: string): void
  /** Adds values that wait to be prepared. */
  addLater(found: readonly FoundSecret[]): void
  /** Adds values found by other processes or in earlier sessions, and prepares some of those that wait. */
  learnNew(session: string, all?: boolean): void
  /** Prepares one waiting value; false if none is waiting. */
  prepareNext(): boolean
  hasWaiting(): boolean
  /** Number of values that became known, including waiting ones. */
  count(): number
}

export interface LearnedValuesParts {
  readonly tokens: Pick<SessionTokens, 'newlyKnown'>
  readonly limits: BriefLimits
  /** Whether other callers of this thread must not wait for values found elsewhere. */
  readonly isThreadShared: boolean
  /** Called with each value that becomes known. */
  readonly onKnown: (found: FoundSecret) => void
  /** Called when a text without findings may have some from now on. */
  readonly onSearchChange: () => void
}

const maxPreparedAtOnce = 128
/** Per text on a shared thread. */
const maxPreparedPerText = 2
/** Per call with `all`, which no caller waits for. */
const maxPreparedPerRefresh = 8
/** Roughly the number of values that fit into the search. */
const maxWaiting = 10_000
/** Longer than any key. The rest of a longer value is found together with its prefix. */
const maxKnownLength = 16_384

export function createLearnedValues(parts: LearnedValuesParts): LearnedValues {
  const { tokens, limits, isThreadShared, onKnown, onSearchChange } = parts
  const searched = createKnownValues()
  /** Found but not yet searched for, with their rules: preparing a value takes time, and a text may contain many. */
  const waiting = new Map<string, string>()
  let preparationsLeft = 0
  let count = 0

  const postpone = (value: string, rule: string): void => {
    const stored = ownString(value)
    const [oldest] = waiting.keys()
    if (oldest !== undefined && waiting.size >= maxWaiting) waiting.delete(oldest)
    waiting.set(stored, rule)
    onKnown({ value: stored, rule })
  }

  const add = (foundValue: string, rule: string): void => {
    const value = foundValue.slice(0, maxKnownLength)
    if (searched.has(value) || waiting.has(value) || !isDistinctive(value)) return
    count += 1
    const isTooMany = !limits.countNew()
    onSearchChange()
    if (preparationsLeft === 0 || isTooMany) {
      postpone(value, rule)
    } else {
      preparationsLeft--
      searched.add(value, rule)
      onKnown({ value, rule })
    }
    if (isTooMany) throw new NotBrief('the text has too many new secrets for this thread')
  }

  const prepareNext = (): boolean => {
    const [next] = waiting
    if (next === undefined) return false
    waiting.delete(next[0])
    onSearchChange()
    try {
      searched.add(...next)
    } catch {
      // Too many similar values. The rules masked it in its own text, and other texts must not fail because of it.
    }
    return true
  }

  return {
    searched,
    add,
    addNow(value, rule) {
      if (searched.has(value) || !isDistinctive(value)) return
      count += 1
      onSearchChange()
      searched.add(value, rule)
      onKnown({ value, rule })
    },
    addLater(found) {
      for (const { value, rule } of found) {
        if (searched.has(value) || waiting.has(value)) continue
        count += 1
        postpone(value, rule)
      }
    },
    learnNew(session, all = false) {
      const newValues = tokens.newlyKnown(session, all)
      preparationsLeft = all ? maxPreparedPerRefresh : maxPreparedAtOnce
      limits.lift()
      for (const { value, rule } of newValues) add(value, rule)
      const max = isThreadShared ? Math.min(preparationsLeft, maxPreparedPerText) : preparationsLeft
      for (let prepared = 0; prepared < max && prepareNext(); prepared++) preparationsLeft--
    },
    prepareNext,
    hasWaiting: () => waiting.size > 0,
    count: () => count,
  }
}
