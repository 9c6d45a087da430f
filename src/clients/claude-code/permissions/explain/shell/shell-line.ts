/**
 * A shell command as Claude Code looks at it before it asks its rules: the simple commands it is made of, and what keeps
 * the client from telling what would run. Pure.
 */

export interface ShellCommand {
  /** As it is written, without redirections, comments and words such as `then`. */
  readonly text: string
  /** The same with its redirections. */
  readonly whole: string
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
  /** Whether some of it runs in the background or in a shell of its own. */
  readonly isDetached: boolean
}

const deepest = 8
const longest = 20_000

export function readShellLine(text: string, home: string): ShellLine {
  if (text.length > longest) return { commands: [], obstacle: 'a command of this length', isDetached: false }
  const found: Found = { commands: [], home, isDetached: false }
  readCommands(text, found, 0)
  const { commands, isDetached } = found
  return { commands, isDetached, ...(found.obstacle !== undefined && { obstacle: found.obstacle }) }
}

interface Found {
  readonly commands: ShellCommand[]
  readonly home: string
  obstacle?: string
  isDetached: boolean
}

interface Draft {
  text: string
  whole: string
  words: string[]
  patterns: string[]
  readsFrom: string[]
  writesTo: string[]
}

type Redirection = 'read' | 'write' | 'copy' | 'text'

const newDraft = (): Draft => ({ text: '', whole: '', words: [], patterns: [], readsFrom: [], writesTo: [] })

function readCommands(text: string, found: Found, depth: number): void {
  if (depth > deepest) {
    found.obstacle ??= 'a command that deep inside others'
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
  const take = (length: number, meaning: string): void => {
    raw += text.slice(at, at + length)
    word = (word ?? '') + meaning
    at += length
  }
  const endWord = (): void => {
    if (word === undefined) return
    draft.whole += raw
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
    const command = withoutKeywords(draft, stop)
    if (command !== undefined) found.commands.push(command)
    draft = newDraft()
  }
  const nest = (length: number, inside: string, obstacle: string): void => {
    stop(obstacle)
    readCommands(inside, found, depth + 1)
    take(length, '\u0001')
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
      take(end === -1 ? rest.length : end + 2 - at, '\u0001')
    } else if (rest.startsWith('$(')) {
      const end = closing(text, at + 2)
      nest(end - at + 1, text.slice(at + 2, end), 'a command inside a command')
    } else if (name?.[1] === 'HOME') take(name[0].length, found.home)
    else if (name !== null || /^\$[{\d?!#@*$-]/.test(rest)) {
      stop('a variable')
      const braces = /^\$\{[^}]*\}?/.exec(rest)
      take(name?.[0].length ?? braces?.[0].length ?? 2, '\u0001')
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
      draft.whole += document[0]
      if (document[3] !== undefined) stop('a here-document in which the shell fills in')
      documents.push(document[1] ?? document[2] ?? document[3]!)
      at += document[0].length
    } else if (redirect !== null) {
      // The number in front says which stream, and is no word.
      const stream = word !== undefined && /^\d+$/.test(raw) ? raw : ''
      if (stream !== '') [word, raw] = [undefined, '']
      endWord()
      draft.whole += stream + redirect[0]
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
      at += 1
      endCommand()
    } else if (/\s/.test(character)) {
      const hadWord = word !== undefined && redirection === undefined
      endWord()
      if (hadWord || draft.text !== '') draft.text += character
      if (draft.whole !== '') draft.whole += character
      at += 1
    } else if (braces !== null) {
      stop('braces that the shell fills in')
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

/** Undefined where nothing is left to run. */
function withoutKeywords(draft: Draft, stop: (obstacle: string) => void): ShellCommand | undefined {
  let { text, whole, words } = draft
  const skip = (word: string): void => {
    text = text.trimStart().slice(word.length)
    whole = whole.trimStart().slice(word.length)
    words = words.slice(1)
  }
  while (words.length > 0 && keywords.has(words[0]!) && text.trimStart().startsWith(words[0]!)) {
    skip(words[0]!)
  }
  if (words[0] === '{' || words[0] === '}') stop('commands in braces')
  if (words[0] === '{' || words[0] === '}' || words[0] === 'function') skip(words[0])
  if (words[0] === 'case' || words[0] === 'select') stop(`a \`${words[0]}\``)
  // The list of a `for` runs nothing.
  if (words[0] === 'for') words = []
  if (words.length === 0 && draft.writesTo.length === 0 && draft.readsFrom.length === 0) return undefined
  return { ...draft, text: text.trim(), whole: whole.trim(), words }
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
