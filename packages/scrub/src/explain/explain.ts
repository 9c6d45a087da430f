/** Explains why parts of a text are secrets, and why similar ones are not. */

import { compileSecretRules, type CompiledRules } from '../find/compile-rules.ts'
import {
  missOfAssignment,
  missOfKeyBlock,
  missOfKubernetes,
  missOfRule,
  missOfUrl,
  type KeywordHit,
  type Miss,
  type MissReason,
} from './explain-miss.ts'
import { collectFindings, hitsIn, keywordsOf, overlaps, type RawFinding } from './raw-findings.ts'
import { builtinRule } from '../find/rule-list.ts'
import { defaultRules } from '../rules/index.ts'
import type { SecretRule } from '../rules/rule.ts'
import type { SecretSpan } from '../text/span.ts'
import type { UserRules } from '../gitleaks/user-rules.ts'

/**
 * How a secret was recognised.
 *
 * @example
 * import type { Recognised } from '@contextd/scrub/explain'
 *
 * const isCertain = (by: Recognised) => by === 'prefix' || by === 'known value'
 */
export type Recognised =
  | 'prefix'
  | 'shape'
  | 'name'
  | 'assignment'
  | 'header'
  | 'key block'
  | 'address'
  | 'kubernetes secret'
  | 'own rule'
  | 'known value'

/**
 * Why a part of a text is a secret.
 *
 * @example
 * import type { ExplainedFinding } from '@contextd/scrub/explain'
 *
 * const reason = ({ masked, rule, by }: ExplainedFinding) => `${masked} matches ${rule} by its ${by}`
 */
export interface ExplainedFinding {
  readonly rule: string
  readonly description: string
  readonly start: number
  readonly end: number
  /** The secret with its middle hidden. */
  readonly masked: string
  readonly by: Recognised
  /** The keyword that led to it; `start` only if the text was not decoded first. */
  readonly keyword?: { readonly text: string; readonly start?: number }
  /** Encodings from the outermost to the innermost; empty for plain text. */
  readonly encodings: readonly string[]
}

/**
 * Rules whose keyword is in the text, but that matched nothing there, for the same reason.
 *
 * @example
 * import type { NearMiss } from '@contextd/scrub/explain'
 *
 * const reason = ({ keyword, at, detail }: NearMiss) => `"${keyword}" at ${at} is no secret: ${detail}`
 */
export interface NearMiss {
  readonly rules: readonly string[]
  readonly keyword: string
  /** Offset of the keyword. */
  readonly at: number
  readonly reason: MissReason
  readonly detail: string
  /** The text that was checked, with its middle hidden. */
  readonly masked?: string
}

/**
 * All secrets of a text, and parts that look similar.
 *
 * @example
 * import type { TextExplanation } from '@contextd/scrub/explain'
 *
 * const isSuspicious = ({ findings, misses }: TextExplanation) => findings.length + misses.length > 0
 */
export interface TextExplanation {
  readonly findings: readonly ExplainedFinding[]
  readonly misses: readonly NearMiss[]
}

/**
 * What was found in the text, and how.
 *
 * @example
 * import type { ExplainTextOptions } from '@contextd/scrub/explain'
 *
 * const nothingFound: ExplainTextOptions = { found: [], decode: true }
 */
export interface ExplainTextOptions {
  /** What the scrubber found in this text. */
  readonly found: readonly SecretSpan[]
  readonly decode: boolean
  readonly own?: UserRules
}

/**
 * Explains for each finding in a text why it is a secret, and for each near miss why it is not.
 *
 * @example
 * import { createScrubber } from '@contextd/scrub'
 * import { explainDetection } from '@contextd/scrub/explain'
 *
 * const text = 'password = "changeme"'
 * const { findings } = createScrubber().scrub(text, { session: 'a' })
 * const { misses } = explainDetection(text, { found: findings, decode: true })
 * console.log(misses[0]?.detail)
 * // → it is a placeholder, as in documentation
 */
export function explainDetection(text: string, { found, decode, own }: ExplainTextOptions): TextExplanation {
  const rules = compileSecretRules(defaultRules)
  const raw = collectFindings(text, { rules, decode, ...(own && { own }) })
  return {
    findings: found.map((span) => explainFinding(text, span, raw, own)),
    misses: missesIn(text, rules, found, raw, own),
  }
}

/**
 * Masks the middle of a secret: enough is left to recognise it, not enough to use it.
 *
 * @example
 * import { maskSecret } from '@contextd/scrub/explain'
 *
 * console.log(maskSecret('correct horse battery staple'))
 * // → corr…le
 */
export function maskSecret(secret: string): string {
  const characters = Array.from(secret.replace(/\s+/g, ' '))
  if (characters.length < 12) return `${characters[0] ?? ''}…`
  return `${characters.slice(0, 4).join('')}…${characters.slice(-2).join('')}`
}

function explainFinding(
  text: string,
  span: SecretSpan,
  raw: readonly RawFinding[],
  own: UserRules | undefined,
): ExplainedFinding {
  const { rule, start, end } = span
  const [best] = raw
    .filter((candidate) => !candidate.isAllowed && overlaps(candidate, span))
    .sort(
      (a, b) =>
        Number(b.rule === rule) - Number(a.rule === rule) ||
        a.encodings.length - b.encodings.length ||
        b.end - b.start - (a.end - a.start),
    )
  const { keyword, encodings = [] } = best ?? {}
  return {
    rule,
    description: describe(rule, own),
    start,
    end,
    masked: maskSecret(text.slice(start, end)),
    by: best === undefined ? 'known value' : best.isOwn ? 'own rule' : recognisedBy(rule, keyword),
    ...(keyword && {
      keyword: { text: keyword.keyword, ...(encodings.length === 0 && { start: keyword.start }) },
    }),
    encodings,
  }
}

function describe(rule: string, own: UserRules | undefined): string {
  const listed = own?.list.find(({ id }) => id === rule) ?? builtinRule(rule)
  return listed?.description || rule
}

const structuralRecognition: Readonly<Record<string, Recognised>> = {
  'generic-api-key': 'assignment',
  'generic-password': 'assignment',
  'authorization-header': 'header',
  cookie: 'header',
  'private-key': 'key block',
  'uri-with-username-and-secret': 'address',
  'kubernetes-secret-yaml': 'kubernetes secret',
}

function recognisedBy(rule: string, keyword: KeywordHit | undefined): Recognised {
  const rules = defaultRules.filter(({ id }) => id === rule)
  const matching = rules.find(({ keywords }) => keyword && keywords.includes(keyword.keyword)) ?? rules[0]
  return structuralRecognition[rule] ?? matching?.recognition.by ?? 'known value'
}

/** Bounds the output for a text full of keywords. */
const maxMisses = 500

function missesIn(
  text: string,
  rules: CompiledRules,
  found: readonly SecretSpan[],
  raw: readonly RawFinding[],
  own: UserRules | undefined,
): NearMiss[] {
  const misses: NearMiss[] = []
  const add = (rule: string, { keyword, start: at }: KeywordHit, miss: Miss | undefined): void => {
    if (miss === undefined) return
    const { reason, detail, start = 0, end = 0 } = miss
    const masked = start < end ? maskSecret(text.slice(start, end)) : undefined
    const same = misses.findIndex(
      (other) =>
        other.at === at && other.keyword === keyword && other.detail === detail && other.masked === masked,
    )
    if (same === -1)
      misses.push({ rules: [rule], keyword, at, reason, detail, ...(masked !== undefined && { masked }) })
    else misses[same] = { ...misses[same]!, rules: [...new Set([...misses[same]!.rules, rule])] }
  }

  for (const { rule, start, end, keyword, isAllowed } of raw) {
    const hit = keyword ?? { keyword: '', start, end }
    if (isAllowed) add(rule, hit, { reason: 'allowed', detail: 'your own rules allow it', start, end })
  }
  for (const hit of hitsIn(text, rules)) {
    if (misses.length >= maxMisses) break
    // Skip keywords inside findings: they belong to those secrets.
    if (found.some((span) => overlaps(span, hit))) continue
    const isReported = (rule: string): boolean =>
      raw.some((span) => span.rule === rule && (overlaps(span, hit) || span.keyword?.start === hit.start))
    for (const rule of rulesByKeyword().get(hit.keyword) ?? []) {
      if (!isReported(rule.id)) add(rule.id, hit, missOfRule(text, rule, hit))
    }
    for (const [rule, why] of missExplainers) {
      if (keywordsOf(rule).includes(hit.keyword) && !isReported(rule)) add(rule, hit, why(text, hit))
    }
  }
  for (const { id, keywords } of own?.list ?? []) {
    const keyword = keywords.find((word) => text.toLowerCase().includes(word))
    if (keyword === undefined || raw.some(({ rule }) => rule === id)) continue
    const at = text.toLowerCase().indexOf(keyword)
    const detail =
      'its pattern matches nowhere, its entropy is too low, a rule it requires found nothing, or it is allowed'
    add(id, { keyword, start: at, end: at + keyword.length }, { reason: 'pattern', detail })
  }
  return misses
}

type StructuralRule = readonly [rule: string, why: (text: string, hit: KeywordHit) => Miss | undefined]

/** Rules without a pattern, which parse names, blocks and URLs. */
const missExplainers: readonly StructuralRule[] = [
  ['generic-password', missOfAssignment],
  ['generic-api-key', missOfAssignment],
  ['uri-with-username-and-secret', missOfUrl],
  ['private-key', () => missOfKeyBlock],
  ['kubernetes-secret-yaml', () => missOfKubernetes],
]

let byKeyword: ReadonlyMap<string, readonly SecretRule[]> | undefined

function rulesByKeyword(): ReadonlyMap<string, readonly SecretRule[]> {
  if (byKeyword !== undefined) return byKeyword
  const built = new Map<string, SecretRule[]>()
  for (const rule of defaultRules) {
    for (const keyword of rule.keywords) built.set(keyword, [...(built.get(keyword) ?? []), rule])
  }
  byKeyword = built
  return built
}
