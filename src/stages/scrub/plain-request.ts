/**
 * Recognizes command lines that can be understood completely: one program, options known here by their exact
 * spelling, one address. Everything unknown is rejected, so that safety does not depend on a list of dangerous
 * options.
 */

import { destinationsIn } from './destinations.ts'

/** The criteria of the rule. */
export interface RequestTerms {
  readonly holdsToken: (word: string) => boolean
  /** Whether the complete word is an address of the rule's host. */
  readonly isAddress: (word: string) => boolean
}

const switches = /^(?:-[sSfiv]+|--silent|--show-error|--fail|--include)$/

const header = /^(?!host\s*[:;])[\w-]+:/i
const anything = /^/
/** Options with one value, and the pattern of that value. */
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

/** Whether a command line does nothing but send the placeholder of a token to the rule's host. */
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

/** Names no file, no further header line and no destination. */
function isPlainValue(value: string): boolean {
  return !value.startsWith('@') && !/\p{Cc}/u.test(value) && destinationsIn(value).length === 0
}

/** The address must come first; in another position, git would not use it as the remote. */
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

/** The words as a shell splits them; undefined if the shell would do more than that. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  const trimmed = command.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '')
  for (const part of trimmed.matchAll(
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
