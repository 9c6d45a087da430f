/**
 * Command lines that can be understood to the last word: one program, options that are known here by their exact
 * spelling, one address. Whatever is not known is refused, so that nothing hangs on a list of what is dangerous.
 */

import { destinationsIn } from './destinations.ts'

/** Where a command line is read for. */
export interface RequestTerms {
  readonly holdsToken: (word: string) => boolean
  /** Whether the word as a whole is an address of the host that the rule names. */
  readonly isAddress: (word: string) => boolean
}

const switches = /^(?:-[sSfiv]+|--silent|--show-error|--fail|--include)$/

const header = /^(?!host\s*[:;])[\w-]+:/i
const anything = /^/
/** Options with one value, and what that value has to be. */
const options: Readonly<Record<string, RegExp>> = {
  '-H': header,
  '--header': header,
  '-X': /^[A-Za-z]+$/,
  '--request': /^[A-Za-z]+$/,
  '-d': anything,
  '--data': anything,
  '--data-raw': anything,
  '--json': anything,
  '-u': anything,
  '--user': anything,
  '-m': /^\d{1,5}$/,
  '--max-time': /^\d{1,5}$/,
}

/** Whether a command line sends what stands for a token to the host of the rule, and does nothing else. */
export function isPlainRequest(command: string, terms: RequestTerms): boolean {
  const [program, ...words] = wordsOf(command) ?? []
  if (program === 'curl') return isPlainCurl(words, terms)
  return program === 'git' && isPlainGit(words, terms)
}

function isPlainCurl(words: readonly string[], { isAddress }: RequestTerms): boolean {
  let addresses = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (switches.test(word)) continue
    if (Object.hasOwn(options, word)) {
      at++
      const value = words[at]
      if (value === undefined || !options[word]!.test(value) || !isPlainValue(value)) return false
    } else {
      if (!isAddress(word)) return false
      addresses++
    }
  }
  return addresses === 1
}

/** Names no file, no other line of a header and no destination. */
function isPlainValue(value: string): boolean {
  return !value.startsWith('@') && !/\p{Cc}/u.test(value) && destinationsIn(value).length === 0
}

/** The address comes first: behind another word it would not be the place that git goes to. */
function isPlainGit(
  [command = '', address = '', ...words]: readonly string[],
  { isAddress, holdsToken }: RequestTerms,
): boolean {
  return (
    /^(?:clone|fetch|push|pull|ls-remote)$/.test(command) &&
    address.startsWith('https://') &&
    isAddress(address) &&
    words.every((word) => /^[A-Za-z0-9._/][A-Za-z0-9._/-]*$/.test(word) && !holdsToken(word))
  )
}

/** As a shell splits them; undefined where it would do more than that. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  const bare = command.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '')
  for (const part of bare.matchAll(
    /([ \t]+)|'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;|&<>(){}*?[\]#~]+|(?<=\S)[?~])|[^]/g,
  )) {
    const [, space, single, double, plain] = part
    const text = single ?? double ?? plain
    if (text !== undefined) word = (word ?? '') + text
    else if (space === undefined) return undefined
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}
