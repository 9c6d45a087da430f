import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Texts, and questions with known answers among them. */
export interface Collection {
  readonly name: string
  readonly texts: readonly Findable[]
  readonly questions: readonly Question[]
}

export interface Findable {
  readonly title: string
  readonly description: string
  readonly content: string
}

export interface Question {
  readonly text: string
  /** Index of the only right text. */
  readonly answer: number
  readonly half: Half
}

/** Weights are tuned on one half and evaluated on the other. */
export type Half = 'tuned' | 'held out'

const halfOf = (question: string): Half =>
  createHash('sha256').update(question).digest()[0]! % 2 === 0 ? 'tuned' : 'held out'

/** Developer lessons, queried with other words than their own. */
export function readParaphrases(file: string): Collection {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as Findable & { queries?: string[] })
  return {
    name: 'Paraphrases of developers',
    texts: entries.map(({ title, description, content }) => ({ title, description, content })),
    questions: entries.flatMap(({ queries = [] }, answer) =>
      queries.map((text) => ({ text, answer, half: halfOf(text) })),
    ),
  }
}

/** Search engine queries, and the functions that answer them. Because of its licence it is not part of our package. */
export function readCosqa(folder: string): Collection | undefined {
  const files = ['code_idx_map.json', 'dev-500.json'].map((name) => join(folder, name))
  if (!files.every((file) => existsSync(file))) return undefined
  const [functions, questions] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as unknown) as [
    Record<string, number>,
    { doc: string; retrieval_idx: number }[],
  ]
  const ids = Object.values(functions)
  return {
    name: 'CoSQA',
    texts: Object.keys(functions).map((content) => ({ title: '', description: '', content })),
    questions: questions.map(({ doc, retrieval_idx: id }) => ({
      text: doc,
      answer: ids.indexOf(id),
      half: halfOf(doc),
    })),
  }
}
