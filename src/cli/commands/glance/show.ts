/** The status as lines for a terminal. */

import { visibleText } from '@contextd/shared/text/visible-text'
import { minuteOf, paint, type CliIo } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { cutToWidth, padText, wrapText } from '@contextd/shared/cli/text-width'
import type { Glance } from './facts.ts'

type Style = Parameters<typeof paint>[1]

const labelRoom = 10
const maxColumns = 80

export function showGlance(glance: Glance, io: CliIo): void {
  const room = Math.max(40, Math.min(maxColumns, io.stdout.columns || maxColumns))
  const say = (line: string): unknown => io.stdout.write(`${line}\n`)
  /** One fact per line, labelled, with its first word coloured. */
  const fact = (name: string, style: Style | undefined, text: string): void => {
    const lines = wrapText(visibleText(text), room - labelRoom)
    for (const [index, line] of lines.entries()) {
      const [first = '', ...rest] = line.split(' ')
      const painted = index === 0 && style !== undefined ? [paint(io, style, first), ...rest].join(' ') : line
      say(`${paint(io, 'dim', padText(index === 0 ? name : '', labelRoom))}${painted}`)
    }
  }

  say(`${paint(io, 'bold', 'contextd')} ${glance.version}`)
  const { daemon, sandbox, held_back_today: held } = glance
  if (daemon.running) {
    const where = daemon.address === undefined ? '' : ` at ${daemon.address}`
    const since = localMinute(daemon.started_at ?? '')
    fact('daemon', 'green', `running${where} since ${since} (pid ${daemon.pid}), ${daemon.mcp}`)
  } else fact('daemon', undefined, 'not running; start it with `ctxd start`')
  fact('sandbox', sandboxStyles[sandbox.state], sandbox.message)
  fact('agents', glance.agents === undefined ? 'red' : undefined, agentWords(glance))
  fact('servers', undefined, serverWords(glance))
  if (held !== undefined) {
    const inAnswers = held.answers > 0 ? `, in ${counted(held.answers, 'answer')}` : ''
    fact('secrets', held.secrets > 0 ? 'yellow' : undefined, `${held.secrets} held back today${inAnswers}`)
  }
  const { memories, checkpoints } = glance
  if (memories !== undefined && checkpoints !== undefined) {
    fact(
      'kept',
      undefined,
      `${counted(memories, 'memory', 'memories')}, ${counted(checkpoints, 'checkpoint')}`,
    )
  }

  if (glance.background !== undefined && glance.background > 0) {
    fact('running', undefined, `${counted(glance.background, 'background command')} (ctxd background)`)
  }

  if (glance.refusals.length > 0) {
    say(`\n${paint(io, 'bold', 'last refusals')}`)
    for (const line of refusalLines(glance.refusals, room)) say(line)
  }
  if (glance.attention.length === 0) return
  say(`\n${paint(io, 'bold', 'to do')}`)
  for (const { problem, fix } of glance.attention) {
    const [first = '', ...more] = wrapped(problem, room - 4)
    say(`  ${paint(io, 'red', '!')} ${first}`)
    for (const line of more) say(`    ${line}`)
    for (const line of wrapped(fix, room - 4)) say(`    ${paint(io, 'dim', line)}`)
  }
}

const sandboxStyles: Record<Glance['sandbox']['state'], Style> = {
  ready: 'green',
  off: 'red',
  unavailable: 'yellow',
  unknown: 'yellow',
}

/** Multi-line problems keep their lines. */
function wrapped(text: string, room: number): string[] {
  return text.split('\n').flatMap((line) => wrapText(visibleText(line), room))
}

const maxNames = 8

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ')
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown
}

function agentWords({ agents, rules }: Glance): string {
  if (agents === undefined) return 'unknown: the rules do not load'
  const files = rules.filter(({ state }) => state !== 'not trusted').map(({ path }) => path)
  return `${listed(agents)} (${files.length === 0 ? 'built-in rules' : files.join(', ')})`
}

function serverWords({ servers }: Glance): string {
  return servers.length === 0 ? 'none' : listed(servers.map(({ name, state }) => `${name} (${state})`))
}

/** `2026-11-15 18:30` in local time. */
function localMinute(isoTime: string): string {
  const time = new Date(isoTime)
  if (Number.isNaN(time.getTime())) return isoTime
  return minuteOf(new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString())
}

/** Two lines each, because rules are long and must not be cut first. */
function refusalLines(refusals: Glance['refusals'], room: number): string[] {
  return refusals.flatMap(({ time, agent, server, tool, code, rule }) => {
    const what = visibleText(`${localMinute(time)}  ${agent || '-'}  ${server}.${tool}  ${code}`)
    const by = rule === undefined ? [] : [cutToWidth(`    by ${visibleText(rule)}`, room)]
    return [cutToWidth(`  ${what}`, room), ...by]
  })
}
