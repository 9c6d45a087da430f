import { expect, test } from 'vitest'

import { matchExpression } from '../../src/memory/search/words.ts'
import { readParaphrases } from './collections.ts'
import { qualityOf } from './quality.ts'

const { texts, questions } = readParaphrases('benchmarks/retrieval/paraphrases.jsonl')
const termsOf = (text: string): Set<string> => new Set(matchExpression(text)?.split(' OR '))

test('there are enough questions, each about a different text, and texts without questions', () => {
  const answered = new Set(questions.map(({ answer }) => answer))
  expect(answered.size).toBeGreaterThanOrEqual(120)
  expect(texts.length - answered.size).toBeGreaterThanOrEqual(40)
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
  for (const half of ['tuned', 'held out'] as const) {
    expect(questions.filter((question) => question.half === half).length).toBeGreaterThan(50)
  }
})

test('questions use other words than the texts they should find', () => {
  const shared = questions.map(({ text, answer }) => {
    const { title, description, content } = texts[answer]!
    const textTerms = [title, description, content].map(termsOf)
    const terms = [...termsOf(text)]
    return terms.filter((term) => textTerms.some((words) => words.has(term))).length / terms.length
  })
  expect(Math.max(...shared)).toBeLessThan(0.6)
  expect(shared.reduce((sum, share) => sum + share, 0) / shared.length).toBeLessThan(0.2)
})

test('quality is computed from the ranks of the right answers', () => {
  expect(qualityOf([1, 2, 6, 20, Infinity])).toEqual({
    hit1: 0.2,
    hit5: 0.4,
    hit10: 0.6,
    mrr: (1 + 1 / 2 + 1 / 6 + 1 / 20) / 5,
    ndcg10: (1 + 1 / Math.log2(3) + 1 / Math.log2(7)) / 5,
  })
})
