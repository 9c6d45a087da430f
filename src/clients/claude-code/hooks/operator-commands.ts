/** Detects contextd commands that only the operator may run, in shell commands of an agent. Pure. */

import { isPlain, mayMeet } from './path-pattern.ts'
import type { SimpleCommand } from './shell-words.ts'

/** Programs that do not run their arguments, so our name among those is harmless. */
const inertPrograms = new Set(
  (
    'echo printf grep egrep fgrep rg ag git ls cat head tail wc which whereis type test [ cd pushd ' +
    'mkdir touch jq diff cmp sort uniq tree stat file basename dirname realpath readlink rm cp mv du'
  ).split(' '),
)
/** Any of these in the command line may run text that another command prints. */
const runners =
  /^(?:(?:ba|z|da|k|a|fi|c|tc)?sh|busybox|xargs|parallel|eval|source|\.|python[\d.]*|node|bun|deno|perl|ruby|php|lua|script|expect|at|batch|crontab|ssh|make)$/

/** Arguments of our programs that are for the operator only. */
const operatorWords = new Set([
  'trust',
  'approve',
  'secret',
  'context',
  'token',
  'login',
  'logout',
  'import',
  'install',
  'update',
  'tls',
  'webhooks',
  '--raw',
  'hook',
  'init',
])
const clientProgram = /^(?:claude|opencode)(?:\.exe|\.c?js)?$/i
/** Arguments with which a client starts no agent. */
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
  // If a program is known only at run time, it may be ours if our name appears anywhere in the line.
  const isHinted = acting.some(runsUnknown) && words.some((word) => /ctxd|contextd/i.test(word))
  return (isNamed || isHinted) && isForOperator(words) ? 'operator-command' : undefined
}

/** Whether a command in the line may run the output of another. */
export function mayRunText(commands: readonly SimpleCommand[]): boolean {
  return commands.some((command) => {
    if (isLooking(command)) return false
    return runsUnknown(command) || command.some((word) => runners.test(nameOf(word)))
  })
}

/** Words that may precede the program name. */
export const beforeProgram =
  /^(?:do|then|else|elif|if|while|until|[{!]|time|exec|command|builtin|env|nohup|nice|sudo|[A-Za-z_]\w*=.*)$/s

/** The program is known only at run time, or is a path that this line may just have written. */
function runsUnknown(command: SimpleCommand): boolean {
  const program = command.find((word) => !beforeProgram.test(word)) ?? ''
  return !isPlain(program) || program.includes('/')
}

/** Whether a command does not run its arguments. */
export function isLooking([program = '', ...words]: SimpleCommand): boolean {
  const name = nameOf(program)
  if (packageManager.test(name))
    return asksForPackages.test(words.find((word) => !word.startsWith('-')) ?? '')
  return inertPrograms.has(name) && !words.some((word) => runOptions[name]?.test(word))
}
const packageManager = /^(?:npm|pnpm|yarn|pip3?|apt(?:-get)?|brew)$/
const asksForPackages =
  /^(?:i|install|ci|add|up|update|upgrade|un|uninstall|rm|remove|ls|list|view|info|show|search|outdated|audit|why)$/
/** Options with which these programs run another one. */
const runOptions: Readonly<Record<string, RegExp>> = {
  git: /^-c|^--(?:exec|config-env|upload-pack|receive-pack|ext-diff|open-files-in-pager)|^-[xO]|^(?:run|foreach|filter-branch)$/,
  rg: /^--(?:pre|hostname-bin)/,
  ag: /^--pager/,
  sort: /^--compress-program/,
}

function isForOperator(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      operatorWords.has(word) ||
      (word === 'set' && words[index - 1] === 'config') ||
      // May also be the name of a server.
      (word === 'memory' && isOurProgram(words[index - 1] ?? '')) ||
      (/^(?:allow|deny|grant|reveal|edit)$/.test(word) && words[index - 1] === 'rules') ||
      (/^(?:add|remove)$/.test(word) && words[index - 1] === 'upstream') ||
      (/^(?:url|revoke)$/.test(word) && words[index - 1] === 'model') ||
      // Anyone may inspect permissions; these options change files that restrict the agent, or start programs.
      (/^--(?:fix|connect)$/.test(word) && words.includes('permissions')),
  )
}

/** A program name without its folder. */
export function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

/** `ctxd`, `/usr/bin/ctxd`, `dist/contextd.js`, `contextd@latest`, `x=ctxd`, `alias.x=!ctxd`, `ctx?`. */
function isOurProgram(word: string): boolean {
  const name = nameOf(word.slice(word.indexOf('=') + 1))
  if (/^!?(?:ctxd|contextd)(?:@[^/]*)?(?:\.[cm]?js)?$/i.test(name)) return true
  const letters = name.replaceAll(/[^a-z]/gi, '').length
  return (
    !isPlain(name) &&
    letters >= 2 &&
    ['ctxd', 'contextd', 'ctxd.js', 'contextd.js'].some((ours) => mayMeet(name, ours))
  )
}

/** Another client has its own agents, which would be attested under any name given on its command line. */
function runsClient(command: SimpleCommand): boolean {
  return command.some((word, index) => {
    const name = nameOf(word)
    if (!clientProgram.test(name) && !/^@anthropic-ai\/claude-code|^opencode-ai/.test(word)) return false
    return !harmlessOfClients.has(command[index + 1] ?? '')
  })
}
