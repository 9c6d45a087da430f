import type { BenignText } from './benign.ts'
import { corpus } from './corpus.ts'
import { measureRecall, type Miss } from './recall.ts'
import { worstAdversarial } from './speed.ts'
import { measureWrongTokens } from './wrong-tokens.ts'

const maxShownLength = 300

/** Prints the misses of the seen half: of one class, of ordinary text, of adversarial texts, or of all. */
export function printMisses(name: string | undefined, benign: readonly BenignText[]): void {
  if (name !== 'benign' && name !== 'adversarial') {
    const { misses } = measureRecall(corpus().filter((one) => name === undefined || one.class === name))
    for (const miss of misses) print(missText(miss))
    print(counts(misses.map((miss) => `${miss.case.unit}: ${miss.what}`)))
  }
  if (name === undefined || name === 'benign') {
    const { seen } = measureWrongTokens(benign)
    for (const { text, rule, masked, context } of seen) {
      print(`wrong token by ${rule} in ${text.name}\n  masked ${show(masked)}\n  in     ${show(context)}`)
    }
    print(counts(seen.map(({ rule }) => rule)))
  }
  if (name === 'adversarial') {
    const { slowest, withheld } = worstAdversarial(128 << 10, 1, 600)
    for (const { name: text, milliseconds } of slowest)
      print(`${milliseconds.toFixed(0).padStart(6)} ms ${text}`)
    for (const text of withheld) print(`withheld: ${text}`)
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const show = (text: string): string =>
  JSON.stringify(text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text)

function missText({ case: one, what, form, scrubbed }: Miss): string {
  const before = one.before.map((text) => `\n  before ${show(text)}`).join('')
  return `${one.id}: ${what}${before}\n  form ${show(form)}\n  text ${show(one.text)}\n  got  ${show(scrubbed)}`
}

function counts(names: readonly string[]): string {
  const found = new Map<string, number>()
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1)
  return [...found]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${String(count).padStart(5)} ${name}`)
    .join('\n')
}
