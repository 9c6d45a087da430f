/** Searching memories by words and by meaning. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { countMemories, memoriesAt } from '../../platform/storage/memory-rows.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { HybridSearch } from '../search/hybrid.ts'
import { matchExpression } from '../search/words.ts'
import { wordOverlap, wordSet } from './word-overlap.ts'
import type { Bank, FoundMemories, MemoryQuery } from './bank.ts'
import { confidenceOf } from './confidence.ts'
import { isOf, projectsIn } from '../memory-access.ts'
import { throwIssues } from './memory-fields.ts'
import { ownerIn, projectOf, readMemory, rowTexts, textToEmbed } from './memory-row.ts'
import type { MemoryReach } from '../memory-access.ts'

export interface BankSearchParts {
  readonly store: Store
  readonly tenant: string
  readonly hybrid: HybridSearch
  readonly rowOf: (reach: MemoryReach, id: string) => SqlRow
}

type Filter = keyof FoundMemories['filtered']

const defaultLimit = 5
const maxHits = 50
/** The rest of a longer query is ignored. */
const maxQueryLength = 4000
/** Longer than any secret. */
const maxSecretLength = 16_384
/** Minimum similarity at which an existing memory is reported when another is stored. */
const minSimilarity = 0.7
const maxSimilar = 3

export function bankSearch({
  store,
  tenant,
  hybrid,
  rowOf,
}: BankSearchParts): Pick<Bank, 'search' | 'similar'> {
  /** Skips memories that were removed since the search. */
  const rowsOf = <Found extends { readonly row: number }>(found: readonly Found[]) => {
    const rows = memoriesAt(
      store,
      tenant,
      found.map(({ row }) => row),
    )
    const bySeq = new Map(rows.map((row) => [Number(row.seq), row]))
    return found.flatMap((one) => {
      const row = bySeq.get(one.row)
      return row === undefined ? [] : [{ ...one, row }]
    })
  }

  return {
    async search({ reach, archiver }, query) {
      const { scope, limit = defaultLimit, signal } = query
      const projects = projectsIn(reach, scope)
      refuseEmptyQuery(query.text)
      const text = archivedQuery(query.text, archiver.archive)
      const judge = createJudge(store, tenant, { ...query, projects })
      const found = await hybrid.find({
        text,
        limit: Math.min(Math.max(1, limit), maxHits),
        judge: judge.judge,
        ...(projects !== undefined && { projects }),
        ...(signal !== undefined && { signal }),
      })
      const filtered = judge.filtered()
      const hits = rowsOf(found.rows).map(({ row, score, lexical, similarity }) => ({
        memory: readMemory(row, archiver),
        score,
        lexical,
        similarity,
      }))
      const considered = found.considered - judge.hidden()
      const note = found.note ?? noteOn(hits, found.lacking)
      return {
        hits,
        considered,
        filtered,
        leftOver: found.more,
        ...(hits.length === 0 && {
          empty: whyEmpty({
            text,
            filtered,
            total: () => countMemories(store, { tenant, projects }),
            isWide: scope === 'all' || !reach.read.includes('all'),
          }),
        }),
        ...(note !== undefined && { note }),
      }
    },

    async similar({ reach, archiver }, id, limit = maxSimilar) {
      const row = rowOf(reach, id)
      const projects = [projectOf(ownerIn(row))]
      const text = textToEmbed(rowTexts(row))
      const { judge } = createJudge(store, tenant, { projects }, Number(row.seq))
      const { rows } = await hybrid.find({ text, projects, judge, limit: limit * 3 })
      const words = wordSet(text)
      return rowsOf(rows)
        .map(({ row: other, similarity = 0 }) => {
          const shared = wordOverlap(words, wordSet(textToEmbed(rowTexts(other))))
          return { other, likeness: Math.max(shared, similarity) }
        })
        .filter(({ likeness }) => likeness >= minSimilarity)
        .map(({ other, likeness }) => ({
          id: other.id as string,
          title: archiver.recall(other.title as string),
          similarity: likeness,
        }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, limit)
    },
  }
}

interface FilterOptions extends Pick<MemoryQuery, 'outcome' | 'tags' | 'minConfidence'> {
  /** As in a search. */
  readonly projects: readonly string[] | undefined
}

/** Decides which rows match the filters, and remembers why others do not. */
function createJudge(
  store: Store,
  tenant: string,
  { projects, outcome, tags = [], minConfidence }: FilterOptions,
  except?: number,
) {
  const wanted = tags.map((tag) => tag.toLowerCase())
  const exclusions = new Map<number, Filter | 'hidden'>()
  const exclusionReason = (row: SqlRow, confidence: number): Filter | 'hidden' | undefined => {
    if (row.merged_into !== null || row.seq === except) return 'hidden'
    // An external vector store may be outdated or return anything.
    if (projects !== undefined && !isOf(row, projects)) return 'hidden'
    if (outcome !== undefined && row.outcome !== outcome) return 'outcome'
    if (wanted.length > 0) {
      const has = new Set((JSON.parse(row.tags as string) as string[]).map((tag) => tag.toLowerCase()))
      if (!wanted.every((tag) => has.has(tag))) return 'tags'
    }
    if (minConfidence !== undefined && confidence < minConfidence) return 'confidence'
    return undefined
  }
  const count = (reason: Filter | 'hidden'): number =>
    [...exclusions.values()].filter((one) => one === reason).length

  return {
    judge(rows: readonly number[]): Map<number, number> {
      const accepted = new Map<number, number>()
      // A vector in an external store can outlive its memory.
      for (const row of rows) exclusions.set(row, 'hidden')
      for (const row of memoriesAt(store, tenant, rows, 'judged')) {
        const seq = Number(row.seq)
        const confidence = confidenceOf({ helped: Number(row.helped), misled: Number(row.misled) })
        const reason = exclusionReason(row, confidence)
        if (reason !== undefined) exclusions.set(seq, reason)
        else {
          exclusions.delete(seq)
          accepted.set(seq, confidence)
        }
      }
      return accepted
    },
    hidden: () => count('hidden'),
    filtered(): FoundMemories['filtered'] {
      const reasons = (['outcome', 'tags', 'confidence'] as const).map((one) => [one, count(one)] as const)
      return Object.fromEntries(reasons.filter(([, many]) => many > 0))
    },
  }
}

/** What the reader of the hits needs to know to judge them. */
function noteOn(hits: FoundMemories['hits'], lacking: number): string | undefined {
  if (lacking > 0) return `${lacking} have no vector of this model; the user can run \`ctxd memory reembed\``
  if (hits.length > 0 && hits.every(({ lexical }) => lexical === undefined)) return semanticOnlyNote
  return undefined
}

const semanticOnlyNote = 'No memory shares a word with the query; these are the closest in meaning.'

/**
 * The query is archived like the memories themselves: nothing unscrubbed reaches an embedder, and a token finds its
 * secret. A partial secret would not be recognized, so the end of a truncated query, which might contain one, is
 * dropped after scrubbing.
 */
function archivedQuery(query: string, archive: (text: string) => string): string {
  const start = query.slice(0, maxQueryLength + maxSecretLength)
  const archived = archive(start)
  const complete = start.length < query.length ? archived.slice(0, -maxSecretLength) : archived
  return complete.slice(0, maxQueryLength).toWellFormed()
}

function refuseEmptyQuery(text: string): void {
  if (text.trim() === '') throwIssues([{ field: 'query', expected: 'text that is not empty' }])
}

interface EmptyResult {
  readonly text: string
  readonly filtered: FoundMemories['filtered']
  readonly total: () => number
  /** No wider scope is available. */
  readonly isWide: boolean
}

function whyEmpty({ text, filtered, total, isWide }: EmptyResult): string {
  const filters = Object.entries(filtered)
  if (filters.length > 0) {
    const reasons = filters.map(([name, many]) => `${many} by ${name}`).join(', ')
    return `all matches were filtered out: ${reasons}; retry without that filter`
  }
  const many = total()
  const wider = isWide ? '' : ', or scope all'
  if (many === 0) return `no memories here yet${isWide ? '' : '; try scope all'}`
  if (matchExpression(text) === undefined)
    return `the query contains no words; ${many} ${many === 1 ? 'memory exists' : 'memories exist'}`
  return `${many === 1 ? 'the only memory does not match' : `none of ${many} memories matches`}; try other words${wider}`
}
