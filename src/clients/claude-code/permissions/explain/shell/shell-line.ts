/**
 * A shell command as Claude Code looks at it before it asks its rules: the simple commands it is made of, and what keeps
 * the client from telling what would run. Pure.
 */

export interface ShellCommand {
  /** As it is written, without redirections, comments and words such as `then`. */
  readonly text: string
  /** Quotes and escapes undone. */
  readonly words: readonly string[]
  /** Words with wildcards that the shell fills in. */
  readonly patterns: readonly string[]
  readonly readsFrom: readonly string[]
  readonly writesTo: readonly string[]
}

export interface ShellLine {
  /** Also those inside others, such as `$(…)`. */
  readonly commands: readonly ShellCommand[]
  /** What the client cannot check before it runs. */
  readonly obstacle?: string
  /** What the client cannot check even where all that matters is in which sandbox it runs. */
  readonly opaque?: string
  /** Whether some of it runs in the background or in a shell of its own. */
  readonly isDetached: boolean
  /** Whether it is commands one after the other, none inside another and none on a condition. */
  readonly isPlain: boolean
}

/** Stands for what only the shell knows. */
const filledIn = '\u0001'

/** Whether the shell fills in a part of the word. */
export const isFilledIn = (word: string): boolean => word.includes(filledIn)

const deepest = 8
const longest = 20_000

export function readShellLine(text: string, home: string): ShellLine {
  const found: Found = { commands: [], home, isDetached: false, isPlain: true, unknown: new Set() }
  if (text.length > longest) found.obstacle = found.opaque = 'a command of this length'
  else readCommands(text, found, 0)
  const { home: _home, unknown: _unknown, ...line } = found
  return line
}

interface Found {
  readonly commands: ShellCommand[]
  readonly home: string
  obstacle?: string
  opaque?: string
  isDetached: boolean
  isPlain: boolean
  /** Variables that the line itself sets to what only the shell knows. */
  readonly unknown: Set<string>
}

interface Draft {
  text: string
  words: string[]
  patterns: string[]
  readsFrom: string[]
  writesTo: string[]
}

type Redirection = 'read' | 'write' | 'copy' | 'text'

const newDraft = (): Draft => ({ text: '', words: [], patterns: [], readsFrom: [], writesTo: [] })

function readCommands(text: string, found: Found, depth: number): void {
  if (depth > deepest) {
    found.opaque ??= found.obstacle ??= 'a command that deep inside others'
    return
  }
  let draft = newDraft()
  let word: string | undefined
  let raw = ''
  let isPattern = false
  let redirection: Redirection | undefined
  let documents: string[] = []
  let at = 0

  const stop = (obstacle: string): void => {
    found.obstacle ??= obstacle
  }
  const block = (obstacle: string): void => {
    stop(obstacle)
    found.opaque ??= obstacle
  }
  const take = (length: number, meaning: string): void => {
    raw += text.slice(at, at + length)
    word = (word ?? '') + meaning
    at += length
  }
  const endWord = (): void => {
    if (word === undefined) return
    if (redirection === undefined) {
      draft.text += raw
      draft.words.push(word)
      if (isPattern) draft.patterns.push(word)
    } else if (redirection === 'read') draft.readsFrom.push(word)
    else if (redirection === 'write' || (redirection === 'copy' && !/^(?:\d+|-)$/.test(word)))
      draft.writesTo.push(word)
    word = undefined
    raw = ''
    isPattern = false
    redirection = undefined
  }
  const endCommand = (): void => {
    endWord()
    const command = withoutKeywords(draft, block)
    if ((command?.words.length ?? 0) !== draft.words.length && draft.words[0] !== '!') found.isPlain = false
    for (const name of unknownIn(draft.words[0] === 'for' ? draft.words : command?.words))
      found.unknown.add(name)
    if (command !== undefined) found.commands.push(command)
    draft = newDraft()
  }
  const nest = (length: number, inside: string, obstacle: string): void => {
    stop(obstacle)
    found.isPlain = false
    readCommands(inside, found, depth + 1)
    take(length, filledIn)
  }
  const expand = (): void => {
    const rest = text.slice(at)
    const name = /^\$([A-Za-z_]\w*)/.exec(rest)
    if (rest.startsWith('`')) {
      const end = text.indexOf('`', at + 1)
      const until = end === -1 ? text.length : end
      nest(until - at + 1, text.slice(at + 1, until), 'a command inside a command')
    } else if (rest.startsWith('$((')) {
      const end = text.indexOf('))', at)
      take(end === -1 ? rest.length : end + 2 - at, filledIn)
    } else if (rest.startsWith('$(')) {
      const end = closing(text, at + 2)
      nest(end - at + 1, text.slice(at + 2, end), 'a command inside a command')
    } else if (name?.[1] === 'HOME') take(name[0].length, found.home)
    else if (name !== null || /^\$[{\d?!#@*$-]/.test(rest)) {
      const braces = /^\$\{[^}]*\}?/.exec(rest)
      const used = name?.[1] ?? /^\$\{(\w+)/.exec(rest)?.[1] ?? ''
      if (found.unknown.has(used)) block('a variable')
      else stop('a variable')
      take(name?.[0].length ?? braces?.[0].length ?? 2, filledIn)
    } else take(1, '$')
  }
  const takeDocuments = (): void => {
    for (const end of documents) {
      const lines = text.slice(at).split('\n')
      const last = lines.findIndex((line) => line.trim() === end)
      const length = (last === -1 ? lines : lines.slice(0, last + 1)).join('\n').length
      at += Math.min(length + 1, text.length - at)
    }
    documents = []
  }

  while (at < text.length) {
    const character = text[at]!
    const rest = text.slice(at, at + 4000)
    const document = /^<<-?(?!<)[ \t]*(?:'([^']*)'|"([^"]*)"|([^\s;&|<>()]+))/.exec(rest)
    const redirect = /^(?:&>>?|<<<|[<>]&|>>|>\||<>|[<>])/.exec(rest)
    const braces = /^\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/.exec(rest)
    if (rest.startsWith('\\\n')) at += 2
    else if (character === '\\') take(2, text[at + 1] ?? '')
    else if (character === "'") {
      const quoted = /^'([^']*)'?/.exec(text.slice(at))!
      take(quoted[0].length, quoted[1]!)
    } else if (character === '"') {
      take(1, '')
      while (at < text.length && text[at] !== '"') {
        if (text[at] === '\\' && /["$`\\]/.test(text[at + 1] ?? '')) take(2, text[at + 1]!)
        else if (text[at] === '$' || text[at] === '`') expand()
        else take(1, text[at]!)
      }
      take(1, '')
    } else if (character === '$' || character === '`') expand()
    else if (character === '#' && word === undefined) at += /^[^\n]*/.exec(text.slice(at))![0].length
    else if (/^[<>]\(/.test(rest)) {
      const end = closing(text, at + 2)
      nest(end - at + 1, text.slice(at + 2, end), 'a command inside a command')
    } else if (document !== null) {
      endWord()
      found.isPlain = false
      if (document[3] !== undefined) stop('a here-document in which the shell fills in')
      documents.push(document[1] ?? document[2] ?? document[3]!)
      at += document[0].length
    } else if (redirect !== null) {
      // The number in front says which stream, and is no word.
      if (word !== undefined && /^\d+$/.test(raw)) [word, raw] = [undefined, '']
      endWord()
      redirection = redirectionOf(redirect[0])
      at += redirect[0].length
    } else if (/^(?:&&|\|\||[;|\n&])/.test(rest)) {
      const operator = /^(?:&&|\|\||\|&|[;|\n&])/.exec(rest)![0]
      if (operator === '&') found.isDetached = true
      at += operator.length
      endCommand()
      if (operator === '\n') takeDocuments()
    } else if (character === '(' || character === ')') {
      found.isDetached = true
      found.isPlain = false
      at += 1
      endCommand()
    } else if (/\s/.test(character)) {
      const hadWord = word !== undefined && redirection === undefined
      endWord()
      if (hadWord || draft.text !== '') draft.text += character
      at += 1
    } else if (braces !== null) {
      stop('braces that the shell fills in')
      found.isPlain = false
      take(braces[0].length, braces[0])
    } else {
      if (character === '*' || character === '?' || character === '[') isPattern = true
      const isHome = character === '~' && word === undefined && /^~(?:\/|\s|$)/.test(rest)
      take(1, isHome ? found.home : character)
    }
  }
  endCommand()
}

function redirectionOf(operator: string): Redirection {
  if (operator === '<<<') return 'text'
  if (operator.endsWith('&')) return 'copy'
  return operator.startsWith('<') && operator !== '<>' ? 'read' : 'write'
}

const keywords = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', 'fi', 'done'])

/** Variables that these words set, to what nobody knows before the command runs. */
function unknownIn(words: readonly string[] = []): string[] {
  if (words[0] === 'for') return words.slice(1, 2)
  if (words[0] === 'read') return words.filter((word) => /^[A-Za-z_]\w*$/.test(word)).slice(1)
  return words.filter(isFilledIn).flatMap((word) => /^([A-Za-z_]\w*)=/.exec(word)?.[1] ?? [])
}

/** Undefined where nothing is left to run. */
function withoutKeywords(draft: Draft, block: (obstacle: string) => void): ShellCommand | undefined {
  let { text } = draft
  let words = draft.words
  while (words.length > 0 && keywords.has(words[0]!) && text.trimStart().startsWith(words[0]!)) {
    text = text.trimStart().slice(words[0]!.length)
    words = words.slice(1)
  }
  if (words[0] === '{' || words[0] === '}') block('commands in braces')
  if (words[0] === '{' || words[0] === '}' || words[0] === 'function') {
    text = text.trimStart().slice(words[0].length)
    words = words.slice(1)
  }
  if (words[0] === 'case' || words[0] === 'select') block(`a \`${words[0]}\``)
  // The list of a `for` runs nothing.
  if (words[0] === 'for') words = []
  if (words.length === 0 && draft.writesTo.length === 0 && draft.readsFrom.length === 0) return undefined
  return { ...draft, text: text.trim(), words }
}

/** The parenthesis that ends what began before `from`. */
function closing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')' && (depth -= 1) === 0) return at
  }
  return text.length
}
