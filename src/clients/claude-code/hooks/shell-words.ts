/**
 * The words of a shell command, as far as its text tells: quotes, escapes, braces and the variables it sets itself are
 * undone. Meant for looking at a command before it runs, never for running it. Pure.
 */

/** Stands in a word for what only the running shell knows: any text. */
export const UNKNOWN = '\u0001'
/** Stand in a word for unquoted wildcards: any text within a name, and any one character of it. */
export const STAR = '\u0002'
export const ONE = '\u0003'

/** One command with its arguments. Where it reads and writes counts as an argument, and so does a here-document. */
export type SimpleCommand = readonly string[]

export interface ShellText {
  readonly commands: readonly SimpleCommand[]
  /** What output is redirected to; each is among the words of its command too. */
  readonly targets: readonly string[]
  /** Too long or too deep to be looked at. */
  readonly isBeyond: boolean
}

export type Variables = Readonly<Record<string, string | undefined>>

const maxWords = 20_000
const deepest = 6
/** How the text begins behind which a here-document ends, with all its quotes. */
const documentStart = /^<<(?!<)-?[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s;&|<>()'"\\])+)/s
/** `[abc]`, `[!a-z]`, `[[:alpha:]]`, with what is quoted in it. */
const characterSet = /^\[[!^]?\]?(?:\[[:.=][^\]]*[:.=]\]|\\.|'[^']*'|"[^"]*"|[^\]\s/\\'"]){0,1024}\]/s
/** A set, or not: too long to be told. */
const longSet = /^\[\S{1024}/
const maxAlternatives = 256

export function readShell(source: string, env: Variables): ShellText {
  const found: Found = { commands: [], targets: [], variables: new Map(), env, words: 0, isBeyond: false }
  readCommands(source, 0, found)
  return found
}

interface Found {
  readonly commands: string[][]
  readonly targets: string[]
  readonly variables: Map<string, string>
  readonly env: Variables
  words: number
  isBeyond: boolean
}

interface HereDocument {
  readonly end: string
  readonly isLiteral: boolean
  readonly owner: string[]
}

function readCommands(text: string, depth: number, found: Found): void {
  if (depth > deepest) found.isBeyond = true
  let command: string[] = []
  let word: string | undefined
  let at = 0
  let documents: HereDocument[] = []
  /** In `((…))` two smaller-than signs shift bits. */
  let isArithmetic = false
  /** Behind `>`, up to the next word; `>&` and `>|` are two operators here. */
  let isTarget = false

  const add = (piece: string, length: number): void => {
    word = (word ?? '') + piece
    at += length
  }
  const endWord = (): void => {
    if (word === undefined) return
    const words = takeWord(word, command, found)
    if (isTarget) found.targets.push(...words)
    word = undefined
    isTarget = false
  }
  const endCommand = (): void => {
    endWord()
    if (command.length > 0) found.commands.push(command)
    command = []
  }
  /** `$name`, `${…}`, `$(…)`, backticks: what stands inside is read by itself. */
  const expand = (): void => {
    const expansion = expansionAt(text, at, found)
    if (expansion.inside !== undefined) readCommands(expansion.inside, depth + 1, found)
    add(expansion.value, expansion.length)
  }
  /** Up to `end`, which is taken too. */
  const expandUntil = (end: number, escapable: RegExp): void => {
    add('', 0)
    while (at < end) {
      if (text[at] === '\\' && escapable.test(text[at + 1] ?? '')) add(text[at + 1]!.replace('\n', ''), 2)
      else if (text[at] === '$' || text[at] === '`') expand()
      else add(text[at]!, 1)
    }
  }
  const takeDocuments = (): void => {
    for (const { end, isLiteral, owner } of documents) {
      const stop = lineEqual(text, end, at)
      if (isLiteral) add(text.slice(at, stop), stop - at)
      else expandUntil(stop, /[$`\\\n]/)
      owner.push(word ?? '')
      word = undefined
      at = Math.max(at, stop) + end.length
    }
    documents = []
  }

  while (at < text.length && !found.isBeyond) {
    const character = text[at]!
    const rest = text.slice(at)
    const document = isArithmetic ? null : documentStart.exec(rest)
    if (rest.startsWith('((')) isArithmetic = true
    else if (rest.startsWith('))')) isArithmetic = false
    if (character === '\\') add((text[at + 1] ?? '').replace('\n', ''), 2)
    else if (character === "'") {
      const quoted = /^'([^']*)'?/.exec(rest)!
      add(quoted[1]!, quoted[0].length)
    } else if (rest.startsWith("$'")) {
      const quoted = /^\$'((?:[^'\\]|\\.)*)'?/s.exec(rest)!
      // The shell ends such a text where a zero stands in it.
      add(unescaped(quoted[1]!).replace(/\0.*$/s, ''), quoted[0].length)
    } else if (character === '"') {
      at += 1
      expandUntil(closingQuote(text, at), /[$`"\\\n]/)
      at += 1
    } else if (character === '$' && text[at + 1] === '"') at += 1
    else if (character === '$' || character === '`') expand()
    else if (character === '#' && word === undefined) at += /^[^\n]*/.exec(rest)![0].length
    else if (document !== null) {
      endWord()
      const end = document[1]!
      const plain = end.replaceAll(/['"\\]/g, '')
      documents.push({ end: plain, isLiteral: plain !== end, owner: command })
      at += document[0].length
    } else if (/[<>]/.test(character)) {
      endWord()
      const [operator] = /^[<>]+/.exec(rest)!
      isTarget = operator.includes('>')
      at += operator.length
    } else if (/[;&|\n()]/.test(character)) {
      at += 1
      endCommand()
      if (character === '\n') takeDocuments()
    } else if (/\s/.test(character)) {
      endWord()
      at += 1
    } else if (character === '*') add(STAR, 1)
    else if (character === '?') add(ONE, 1)
    else {
      const set = character === '[' ? characterSet.exec(rest) : null
      if (set === null && longSet.test(rest)) found.isBeyond = true
      add(set === null ? character : ONE, set?.[0].length ?? 1)
    }
  }
  endCommand()
}

function takeWord(word: string, command: string[], found: Found): readonly string[] {
  const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(word)
  const mayAssign =
    command.every((before) => before.includes('=')) ||
    /^(?:export|declare|local|readonly|typeset)$/.test(command[0]!)
  if (assigned !== null && mayAssign) found.variables.set(assigned[1]!, assigned[2]!)
  const words = alternatives(word)
  command.push(...words)
  found.words += words.length
  if (found.words > maxWords) found.isBeyond = true
  return words
}

interface Expansion {
  readonly value: string
  readonly length: number
  /** Commands that run before the value is known. */
  readonly inside?: string
}

function expansionAt(text: string, at: number, { variables, env }: Found): Expansion {
  const rest = text.slice(at)
  const named = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/.exec(rest)
  if (named !== null) {
    const name = named[1] ?? named[2]!
    return { value: variables.get(name) ?? env[name] ?? UNKNOWN, length: named[0].length }
  }
  if (rest.startsWith('`')) {
    const end = text.indexOf('`', at + 1)
    const stop = end === -1 ? text.length : end
    return { value: UNKNOWN, length: stop - at + 1, inside: text.slice(at + 1, stop) }
  }
  const open = /^\$[({]/.exec(rest)
  if (open === null) {
    const special = /^\$[\w?!#@*$-]/.test(rest)
    return special ? { value: UNKNOWN, length: 2 } : { value: '$', length: 1 }
  }
  const end = closingBracket(text, at + 2, open[0] === '${' ? '}' : ')')
  const inside = text.slice(at + 2, end)
  // Of `${name:-other}` the name is no command, but what follows may be all of a path.
  const commands = open[0] === '${' ? inside.replace(/^[\w!#]*[:%#/^,@+=?-]*/, '') : inside
  return { value: UNKNOWN, length: end - at + 1, inside: commands }
}

function closingBracket(text: string, from: number, bracket: string): number {
  const open = bracket === '}' ? '{' : '('
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === open) depth += 1
    else if (text[at] === bracket && (depth -= 1) === 0) return at
  }
  return text.length
}

/** The quote that ends what began before `from`; quotes inside `$(…)` are not it. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
    else if (text.startsWith('$(', at)) at = closingBracket(text, at + 2, ')')
  }
  return text.length
}

/** Where the line begins that is `end` and nothing else. */
function lineEqual(text: string, end: string, from: number): number {
  for (let at = from; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const stop = newline === -1 ? text.length : newline
    if (text.slice(at, stop).trim() === end) return at
    at = stop + 1
  }
  return text.length
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  e: '',
  f: '',
  v: '',
}

/** `\x41`, `\101`, `\u0041` and the letters, as in `$'…'` and the format of printf. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,4})|c.|(.))/gs,
    (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return letters[letter] ?? letter
      const digits = hex ?? short ?? long
      // `\c@` and the like: a control character.
      if (digits === undefined && octal === undefined) return '\0'
      const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
    },
  )
}

/** `{a,b}` becomes each; what would be too many becomes unknown. Quoted braces are expanded too: it does no harm here. */
function alternatives(word: string): string[] {
  let words = [word]
  for (;;) {
    const next = words.flatMap((one) => {
      const braces = /^(.*?)\{(?=[^{}]*(?:,|\.\.))([^{}]*)\}(.*)$/s.exec(one)
      if (braces === null) return [one]
      const [, before = '', inside = '', after = ''] = braces
      const choices = inside.includes(',') ? inside.split(',') : [UNKNOWN]
      return choices.map((choice) => `${before}${choice}${after}`)
    })
    if (next.length > maxAlternatives) return [word.replace(/^([^{]*)\{.*\}/s, `$1${UNKNOWN}`), ...words]
    if (next.every((one, index) => one === words[index])) return words
    words = next
  }
}
