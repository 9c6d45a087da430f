/** Performs a check, in any thread. */

import type { ChangedText, Check, Checked, CheckedTexts, CheckFor, KeyedText } from '../../../core/checks.ts'
import { mergeFindings, cleanPart, maskAndScrub, type TextChecks } from '../../../core/findings.ts'
import { mapStrings, type Json } from '@contextd/shared/json/value'
import type { Result } from '../../../core/result.ts'
import { tokensIn } from '../../../core/tokens/secret-forms.ts'
import { noteFinding, type FindingCount } from '../../../core/trail.ts'
import { cleanJson, cleanResult, type Cleaner } from '../clean-result.ts'
import { isIntroducible } from '../introduction.ts'
import { createKnownSearch } from '@contextd/scrub/internal/known-search'

/** Looking up more would take longer than it is worth. */
const maxTokens = 1000

/** Each pass but the last has found something new, so only crafted texts reach this limit. */
const maxPasses = 5

type Owner = Pick<CheckFor, 'tenant' | 'session' | 'reader'>

export interface Checks extends TextChecks {
  /** Prepares all known values for searching and returns their number. */
  readonly prepareKnown: () => number
}

export type CheckedValue = Result | Json | CheckedTexts | readonly number[]

export function performCheck(check: Check, owner: Owner, checks: Checks): Checked<CheckedValue> {
  const findings: FindingCount[] = []
  const note = (rule: string, place?: string): void =>
    noteFinding({ findings }, { layer: 'C2', rule, ...(place !== undefined && { place }) })
  const checked = (value: CheckedValue, tokens: readonly string[] = []): Checked<CheckedValue> => ({
    value,
    found: findings,
    tokens,
  })
  switch (check.kind) {
    case 'result': {
      const result = cleanResult(check.value, cleanerOf(check, owner, checks, note))
      return checked(result, check.secrets ? tokensOf(result) : [])
    }
    case 'json':
      return checked(cleanJson(check.value, check.root, cleanerOf(check, owner, checks, note)))
    case 'record': {
      const clean = (text: string, key?: string): string => {
        const { text: cleaned, rules } = check.secrets
          ? maskAndScrub(text, owner, checks, owner.reader, key)
          : maskOnly(text, owner, checks)
        for (const rule of rules) note(rule)
        return cleaned
      }
      return checked(mapStrings(check.value, clean))
    }
    case 'spans': {
      const { findings: spans } = checks.scrub(check.value, owner)
      for (const { rule } of spans) note(rule)
      return checked(spans.flatMap(({ start, end }) => [start, end]))
    }
    case 'text': {
      const { text, findings: found } = cleanPart(
        check.value,
        (fullText) => checkText(fullText, owner, checks),
        check,
      )
      for (const { rule } of found) note(rule)
      return checked(text)
    }
    case 'texts': {
      const texts = cleanTogether(check.value, owner, checks)
      for (const rule of texts.changed.flatMap((one) => one?.rules ?? [])) note(rule)
      return checked(texts)
    }
    case 'known': {
      const isIn = createKnownSearch(check.secrets)
      return checked(check.value.flatMap(({ text, key }, index) => (isIn(text, key) ? [index] : [])))
    }
  }
}

/** Repeats until nothing new is found: a text may reveal secrets that are in earlier ones. */
function cleanTogether(texts: readonly KeyedText[], owner: Owner, checks: Checks): CheckedTexts {
  const first = checks.prepareKnown()
  let known = first
  for (let pass = 1; ; pass++) {
    const changed = texts.map(({ text, key }): ChangedText | undefined => {
      const { text: clean, findings } = checkText(text, owner, checks, key)
      return findings.length === 0 ? undefined : { text: clean, rules: findings.map(({ rule }) => rule) }
    })
    const before = known
    known = checks.prepareKnown()
    if (known === before || pass === maxPasses) return { changed, learned: known - first }
  }
}

function maskOnly(
  text: string,
  { session, reader }: Owner,
  { privacy }: TextChecks,
): { readonly text: string; readonly rules: readonly string[] } {
  const masked = privacy.mask(text, session, reader)
  return { text: masked.text, rules: masked.findings.map(({ rule }) => rule) }
}

function checkText(text: string, owner: Owner, { scrub, privacy }: TextChecks, key?: string) {
  return mergeFindings(text, scrub(text, owner, key), privacy.mask(text, owner.session, owner.reader))
}

function cleanerOf(
  check: Extract<Check, { kind: 'result' | 'json' }>,
  owner: Owner,
  checks: TextChecks,
  onFinding: Cleaner['onFinding'],
): Cleaner {
  const own = new Set(check.kind === 'result' ? check.own : [])
  const isOwn = (text: string): boolean => own.has(text)
  return {
    isOwn,
    scrub(text, key) {
      if (isOwn(text)) return { text, findings: [] }
      return check.secrets
        ? checkText(text, owner, checks, key)
        : checks.privacy.mask(text, owner.session, owner.reader)
    },
    onFinding,
  }
}

/** Tokens are only needed for results that can include an introduction. */
function tokensOf(result: Result): readonly string[] {
  if (!isIntroducible(result)) return []
  return [...tokensIn([[...result.content], result.structured ?? null])].slice(0, maxTokens)
}
