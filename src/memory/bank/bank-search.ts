/** Finding memories again, by words and by meaning. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { countMemories, memoriesAt } from '../../platform/storage/memory-rows.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { HybridSearch } from '../search/hybrid.ts'
import { matchExpression } from '../search/words.ts'
import { sharedWords, wordSet } from './alike.ts'
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

const usualLimit = 5
const maxHits = 50
/** The rest of a longer query is not used. */
const maxQuery = 4000
/** More than any secret has. */
const maxSecret = 16_384
/** How alike two memories must be for one to be worth a look when the other is stored. */
const alike = 0.7
const maxSimilar = 3

export function bankSearch({
  store,
  tenant,
  hybrid,
  rowOf,
}: BankSearchParts): Pick<Bank, 'search' | 'similar'> {
  /** Without what somebody else has removed since it was found. */
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
    async search({ reach, keeping }, query) {
      const { scope, limit = usualLimit, signal } = query
      const projects = projectsIn(reach, scope)
      refuseNoQuery(query.text)
      const text = archivedQuery(query.text, keeping.archive)
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
        memory: readMemory(row, keeping),
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

    async similar({ reach, keeping }, id, limit = maxSimilar) {
      const row = rowOf(reach, id)
      const projects = [projectOf(ownerIn(row))]
      const text = textToEmbed(rowTexts(row))
      const { judge } = createJudge(store, tenant, { projects }, Number(row.seq))
      const { rows } = await hybrid.find({ text, projects, judge, limit: limit * 3 })
      const words = wordSet(text)
      return rowsOf(rows)
        .map(({ row: other, similarity = 0 }) => {
          const shared = sharedWords(words, wordSet(textToEmbed(rowTexts(other))))
          return { other, likeness: Math.max(shared, similarity) }
        })
        .filter(({ likeness }) => likeness >= alike)
        .map(({ other, likeness }) => ({
          id: other.id as string,
          title: keeping.recall(other.title as string),
          similarity: likeness,
        }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, limit)
    },
  }
}

interface Judged extends Pick<MemoryQuery, 'outcome' | 'tags' | 'minConfidence'> {
  /** As for a search. */
  readonly projects: readonly string[] | undefined
}

/** Says of rows which count, and remembers what spoke against the others. */
function createJudge(
  store: Store,
  tenant: string,
  { projects, outcome, tags = [], minConfidence }: Judged,
  except?: number,
) {
  const wanted = tags.map((tag) => tag.toLowerCase())
  const against = new Map<number, Filter | 'hidden'>()
  const objection = (row: SqlRow, confidence: number): Filter | 'hidden' | undefined => {
    if (row.merged_into !== null || row.seq === except) return 'hidden'
    // A vector store elsewhere may still have it where it was once, or say anything.
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
    [...against.values()].filter((one) => one === reason).length

  return {
    judge(rows: readonly number[]): Map<number, number> {
      const counting = new Map<number, number>()
      // A vector can outlive its memory, in a store elsewhere.
      for (const row of rows) against.set(row, 'hidden')
      for (const row of memoriesAt(store, tenant, rows, 'judged')) {
        const seq = Number(row.seq)
        const confidence = confidenceOf({ helped: Number(row.helped), misled: Number(row.misled) })
        const reason = objection(row, confidence)
        if (reason !== undefined) against.set(seq, reason)
        else {
          against.delete(seq)
          counting.set(seq, confidence)
        }
      }
      return counting
    },
    hidden: () => count('hidden'),
    filtered(): FoundMemories['filtered'] {
      const reasons = (['outcome', 'tags', 'confidence'] as const).map((one) => [one, count(one)] as const)
      return Object.fromEntries(reasons.filter(([, many]) => many > 0))
    },
  }
}

/** What a reader of the hits must know to weigh them. */
function noteOn(hits: FoundMemories['hits'], lacking: number): string | undefined {
  if (lacking > 0)
    return `${lacking} with no vector of this model; the person can run \`ctxd memory reembed\``
  if (hits.length > 0 && hits.every(({ lexical }) => lexical === undefined)) return onlyMeaning
  return undefined
}

const onlyMeaning = 'None shares a word with the query; these are the closest in meaning.'

/**
 * As the memories themselves: nothing unscrubbed goes to an embedder, and a token finds the secret it represents. Half a
 * secret is not recognised, so the end of a query that was cut, where one may be, is dropped after it was scrubbed.
 */
function archivedQuery(query: string, archive: (text: string) => string): string {
  const start = query.slice(0, maxQuery + maxSecret)
  const archived = archive(start)
  const whole = start.length < query.length ? archived.slice(0, -maxSecret) : archived
  return whole.slice(0, maxQuery).toWellFormed()
}

function refuseNoQuery(text: string): void {
  if (text.trim() === '') throwIssues([{ field: 'query', expected: 'text that is not empty' }])
}

interface Emptiness {
  readonly text: string
  readonly filtered: FoundMemories['filtered']
  readonly total: () => number
  /** Nothing wider can be asked for. */
  readonly isWide: boolean
}

function whyEmpty({ text, filtered, total, isWide }: Emptiness): string {
  const filters = Object.entries(filtered)
  if (filters.length > 0) {
    const reasons = filters.map(([name, many]) => `${many} by ${name}`).join(', ')
    return `all that match were filtered: ${reasons}; ask without that`
  }
  const many = total()
  const wider = isWide ? '' : ', or scope all'
  if (many === 0) return `no memories here yet${isWide ? '' : '; try scope all'}`
  if (matchExpression(text) === undefined) return `the query has no words; ${many} memories are here`
  return `none of ${many} memories fits; try other words${wider}`
}
