/** Commands that are for the person at the terminal, found in what an agent wants a shell to run. Pure. */

import { isPlain, mayMeet } from './path-pattern.ts'
import type { SimpleCommand } from './shell-words.ts'

/** Programs that only look at text or files: our name among their arguments is no run of ours. */
const lookers = new Set(
  (
    'echo printf grep egrep fgrep rg ag git ls cat head tail less more wc man which whereis type test [ cd pushd ' +
    'mkdir touch jq diff cmp sort uniq tree stat file basename dirname realpath readlink rm cp mv du sed'
  ).split(' '),
)
/** With one of these in the line, text that another command prints may be run. */
const runners =
  /^(?:(?:ba|z|da|k|a|fi)?sh|xargs|parallel|eval|source|\.|python[\d.]*|node|perl|ruby|script|expect)$/

/** Of what our programs can be asked to do. */
const operatorWords = new Set([
  'trust',
  'approve',
  'secret',
  'context',
  'token',
  'login',
  'logout',
  'import',
  '--raw',
  'hook',
  'init',
])
const clientProgram = /^(?:claude|opencode)(?:\.exe|\.c?js)?$/i
/** What a client can be asked without starting an agent. */
const harmlessOfClients = new Set([
  '--version',
  '-v',
  '--help',
  '-h',
  'mcp',
  'plugin',
  'doctor',
  'update',
  'upgrade',
  'models',
])

export type OperatorOnly = 'operator-command' | 'client-run'

export function operatorOnly(commands: readonly SimpleCommand[]): OperatorOnly | undefined {
  const isRun = mayRunText(commands)
  const acting = commands.filter((command) => isRun || !isLooking(command))
  if (acting.some(runsClient)) return 'client-run'
  const words = commands.flat()
  const isNamed = acting.some((command) => command.some(isOurProgram))
  // A program that only the running shell knows may be ours where our name stands anywhere in the line.
  const isHinted =
    acting.some(([program = '']) => !isPlain(program)) && words.some((word) => /ctxd|contextd/i.test(word))
  return (isNamed || isHinted) && isForOperator(words) ? 'operator-command' : undefined
}

/** Whether what other commands of the line print may be run by one of them. */
export function mayRunText(commands: readonly SimpleCommand[]): boolean {
  return commands.some(([program = '']) => runners.test(nameOf(program)))
}

/** Whether the words of a command are only looked at. */
export function isLooking([program = '', what = '']: SimpleCommand): boolean {
  return (
    lookers.has(nameOf(program)) ||
    (/^(?:npm|pnpm|yarn|pip3?|apt(?:-get)?|brew)$/.test(program) && !runsPackages.test(what))
  )
}
const runsPackages = /^(?:exec|x|dlx|run|run-script|start|test|create|init)$/

function isForOperator(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      operatorWords.has(word) ||
      (word === 'set' && words[index - 1] === 'config') ||
      (/^(?:add|remove)$/.test(word) && words[index - 1] === 'upstream'),
  )
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

/** `ctxd`, `/usr/bin/ctxd`, `dist/contextd.js`, `contextd@latest`, `x=ctxd`, `ctx?`. */
function isOurProgram(word: string): boolean {
  const name = nameOf(word.slice(word.indexOf('=') + 1))
  if (/^(?:ctxd|contextd)(?:@[^/]*)?(?:\.[cm]?js)?$/i.test(name)) return true
  const letters = name.replaceAll(/[^a-z]/gi, '').length
  return (
    !isPlain(name) &&
    letters >= 2 &&
    ['ctxd', 'contextd', 'ctxd.js', 'contextd.js'].some((ours) => mayMeet(name, ours))
  )
}

/** Another client has agents of its own, which would be attested under any name its command line gives them. */
function runsClient(command: SimpleCommand): boolean {
  return command.some((word, index) => {
    const name = nameOf(word)
    if (!clientProgram.test(name) && !/^@anthropic-ai\/claude-code|^opencode-ai/.test(word)) return false
    return !harmlessOfClients.has(command[index + 1] ?? '')
  })
}
