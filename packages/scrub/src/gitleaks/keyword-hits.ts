/** Where in a text the keywords of a person's rules are, and so which rules may find something, and where. */

import { buildAutomaton, type Automaton } from '../text/automaton.ts'
import type { GitleaksRule } from './gitleaks-config.ts'
import type { MatchRange } from './re2.ts'

export interface KeywordHits {
  /** Rules without keywords, and those that one of theirs calls, in the order of the rules. */
  readonly rules: readonly GitleaksRule[]
  /** Parts of the text outside which the rule finds nothing; undefined for all of it. */
  regionsOf(rule: GitleaksRule): readonly MatchRange[] | undefined
}

export type FindKeywords = (text: string) => KeywordHits

/** Once for many texts. */
export function prepareKeywords(rules: readonly GitleaksRule[]): FindKeywords {
  const keywords = [...new Set(rules.flatMap((rule) => rule.keywords))]
  const plain = keywords.filter(isPlain)
  const others = keywords.filter((keyword) => !isPlain(keyword))
  const automaton = plain.length === 0 ? undefined : buildAutomaton(plain)
  const unconditional = rules.filter((rule) => rule.keywords.length === 0)
  const reaches = new Map<GitleaksRule, number>()

  return (text) => {
    const ends = automaton === undefined ? new Map<string, number[]>() : scan(text, automaton, plain)
    const lower = others.length === 0 ? '' : text.toLowerCase()
    const present = new Set([...ends.keys(), ...others.filter((keyword) => lower.includes(keyword))])
    return {
      rules:
        present.size === 0
          ? unconditional
          : rules.filter(
              (rule) => rule.keywords.length === 0 || rule.keywords.some((word) => present.has(word)),
            ),
      regionsOf: (rule) => {
        // Worked out when it is first asked for: most rules never meet their keywords.
        const reach = reaches.get(rule) ?? reachOf(rule)
        reaches.set(rule, reach)
        if (reach === Infinity || oddLetters.test(text)) return undefined
        return regionsAround(rule, ends, reach, text.length)
      },
    }
  }
}

const isPlain = (keyword: string): boolean => /^[\0-\x7f]+$/.test(keyword)

/** `(?i)` takes them for s and k, the automaton does not. */
const oddLetters = /[\u017F\u212A]/

/** Longer ones gain nothing by being looked for in parts. */
const maxReach = 10_000

/** How far from a keyword a match can begin or end; Infinity where it need not be near one. */
function reachOf({ regex, keywords }: GitleaksRule): number {
  if (regex === undefined || !keywords.every(isPlain)) return Infinity
  const longest = regex.longest()
  return longest <= maxReach && regex.alwaysHolds(keywords) ? longest : Infinity
}

function scan(text: string, automaton: Automaton, keywords: readonly string[]): Map<string, number[]> {
  const ends = new Map<string, number[]>()
  const { count, keyword, end } = automaton.scan(text)
  for (let hit = 0; hit < count; hit++) {
    const found = keywords[keyword[hit]!]!
    const places = ends.get(found)
    if (places === undefined) ends.set(found, [end[hit]!])
    else places.push(end[hit]!)
  }
  return ends
}

/**
 * Each match holds a keyword and is no longer than `reach`. One character more at both sides is one that no match
 * touches, so that a part has the same matches by itself as in its place: what `\b`, `^` and `$` look at is there.
 */
function regionsAround(
  rule: GitleaksRule,
  ends: ReadonlyMap<string, readonly number[]>,
  reach: number,
  length: number,
): MatchRange[] {
  const hits = rule.keywords.flatMap((keyword) => ends.get(keyword) ?? [])
  const regions: { start: number; end: number }[] = []
  for (const hit of rule.keywords.length > 1 ? hits.sort((a, b) => a - b) : hits) {
    const start = Math.max(0, hit - reach - 1)
    const end = Math.min(length, hit + reach + 1)
    const last = regions.at(-1)
    if (last !== undefined && start <= last.end) last.end = end
    else regions.push({ start, end })
  }
  return regions
}
