/** Classifies what a shell command does with a text in it, by the part of the command that contains the text. */

/** What happens if the text is a token but the file or server has the secret; the worst outcome comes first. */
export const outcomes = {
  'heredoc or redirect into a file': 'writes it to a file',
  'edit in place (`sed -i`, `perl -i`)': 'writes it to a file',
  'patch (`git apply`, `patch`)': 'writes it to a file',
  'script given inline that writes files': 'writes it to a file',
  'script given inline that writes none': 'misleads',
  'request (`curl`, `psql`, `ssh`)': 'misleads',
  'environment (`KEY=… command`, `export`)': 'misleads',
  'search (`grep`, `rg`, `awk`, `sed -n`)': 'misleads',
  'argument of another program': 'misleads',
  'message (`git commit -m`, `echo`)': 'is only text',
} as const
export type CommandKind = keyof typeof outcomes
export const commandKinds = Object.keys(outcomes) as readonly CommandKind[]

const searches = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'ack',
  'awk',
  'sed',
  'find',
  'cut',
  'tr',
  'jq',
])
const requests = new Set([
  'curl',
  'wget',
  'http',
  'psql',
  'mysql',
  'mongosh',
  'redis-cli',
  'ssh',
  'scp',
  'nc',
])
const interpreters = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|Rscript|bash|sh)$/
/** Words before the program: shell keywords, and programs that start another. */
const prefixWord =
  /^(?:then|do|else|if|while|until|time|nohup|env|sudo|command|exec|timeout|[({!]|[\d.]+[smh]?)$/
const writing =
  /\bwrite(?:_text|_bytes|lines|File|FileSync)?\(|\bopen\([^)\n]{0,200},[ ]{0,9}(?:mode=)?["'][awx]|to_csv|\.dump\(|\.save\(/

/** The text may be in several parts; the worst outcome applies. */
export function kindOf(command: string, text: string): CommandKind {
  const found = parts(command).filter((part) => part.includes(text))
  const kinds = new Set(
    (found.length === 0 ? [command] : found).map((part) => kindOfPart(part, text, command)),
  )
  return commandKinds.find((kind) => kinds.has(kind))!
}

function kindOfPart(part: string, text: string, command: string): CommandKind {
  const words = part.split(/\s+/).filter((word) => word !== '' && !prefixWord.test(word))
  const first = words.findIndex((word) => !/^\w+=/.test(word))
  const [path = '', next = '', ...rest] = first === -1 ? [] : words.slice(first)
  const program = path.slice(path.lastIndexOf('/') + 1)
  const options = [next, ...rest].filter((word) => word.startsWith('-'))
  const inAssignment = words.slice(0, first === -1 ? words.length : first).some((word) => word.includes(text))

  if (inAssignment || program === 'export') return 'environment (`KEY=… command`, `export`)'
  if (/^(?:apply_)?patch$/.test(program) || (program === 'git' && /^(?:apply|am)$/.test(next)))
    return 'patch (`git apply`, `patch`)'
  if (/^(?:sed|perl)$/.test(program) && options.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word)))
    return 'edit in place (`sed -i`, `perl -i`)'
  if (interpreters.test(program))
    return writing.test(part)
      ? 'script given inline that writes files'
      : 'script given inline that writes none'
  // Even if their output is written to a file, the text is the search term.
  if (searches.has(program)) return 'search (`grep`, `rg`, `awk`, `sed -n`)'
  if (requests.has(program)) return 'request (`curl`, `psql`, `ssh`)'
  if (writesOutput(part) || program === 'tee') return 'heredoc or redirect into a file'
  if (/^(?:echo|printf)$/.test(program) || (program === 'git' && /^(?:commit|tag|notes)$/.test(next)))
    return /\|\s{0,9}(?:sudo )?tee\b/.test(command)
      ? 'heredoc or redirect into a file'
      : 'message (`git commit -m`, `echo`)'
  return 'argument of another program'
}

/** Whether the output goes to a file; a `>` in the body of a heredoc does not count. */
function writesOutput(part: string): boolean {
  const head = part.includes('<<') ? part.slice(0, `${part}\n`.indexOf('\n')) : part
  return /(?:^|[^\d&>=-])>{1,2}[ \t]{0,9}[^&\s>]/.test(head)
}

/** Simple commands, each with its heredoc. */
function parts(command: string): string[] {
  const found: string[] = []
  let [start, quote] = [0, '']
  const cut = (end: number, next: number): void => {
    found.push(command.slice(start, end))
    start = next
  }
  for (let at = 0; at < command.length; at++) {
    const char = command[at]!
    if (quote !== "'" && char === '\\') at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if (command.startsWith('<<', at)) {
      at = endOfHeredoc(command, at)
      cut(at, at)
    } else if (';\n|'.includes(char) || (char === '&' && !command.slice(at - 1, at + 2).includes('>')))
      cut(at, at + 1)
  }
  cut(command.length, command.length)
  return found
}

function endOfHeredoc(command: string, at: number): number {
  const word = /^<<-?[ \t]{0,9}\\?["']?([\w.-]{1,80})/.exec(command.slice(at, at + 100))?.[1]
  const lines = command.slice(at).split('\n')
  const last = word === undefined ? 0 : lines.findIndex((line, index) => index > 0 && line.trim() === word)
  return last === -1 ? command.length : at + lines.slice(0, last + 1).join('\n').length
}
