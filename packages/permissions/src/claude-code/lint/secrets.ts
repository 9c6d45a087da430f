/** Secrets where everybody sees them. */

import { positionAt } from '@contextd/shared/json/text-position'
import type { FindingDetails, LintRule } from '../../findings/finding.ts'
import type { SecretsIn } from '../../findings/masked.ts'
import type { AgentFile, ClaudeSetup, Level, McpServer, SettingsFile } from '../setup/setup.ts'
import { findingAt, type FindingText } from './places/finding-at.ts'

export const secretRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'secret-in-frontmatter',
    severity: 'error',
    title: 'A key in the frontmatter of an agent',
    why: 'The description of an agent stands in the prompt of every agent that may start it, and other keys of the frontmatter are configuration that tools show and log. A key that is meant for one agent belongs into its body, or better into no prompt at all: let the server go by who calls, or give it the key in the `env` of an `mcpServers` entry that only this agent has.',
    check: inFrontmatters,
  },
  {
    id: 'secret-in-settings',
    severity: 'warning',
    title: 'A secret in settings',
    why: 'What stands under `env` in the settings goes to every process the client starts, commands of the model included; what stands in a hook or in `.mcp.json` is in the repository for all to read. In the files that a project shares it is an error. Keep secrets in the environment or in a helper (`apiKeyHelper`), and write `${NAME}` where a server needs one.',
    check: ({ settings, servers, secretsIn }) => [
      ...settings.flatMap((file) => inSettings(file, secretsIn)),
      ...servers.flatMap((server) => inServer(server, secretsIn)),
    ],
  },
]

function inSettings({ file, text, level }: SettingsFile, secretsIn: SecretsIn): FindingDetails[] {
  const told: FindingText = {
    message: `A secret stands in the settings${reach[level]}.`,
    fix: 'Take it out, give it to the process in another way, and make a new one: this one was seen.',
    ...(level === 'project' && { severity: 'error' }),
  }
  const found = secrets(text, secretsIn)
  const isShared = level === 'project' || level === 'managed'
  const reported = isShared ? found : found.filter((start) => !isDoorKey(text, start))
  return reported.map((start) => findingAt({ file, ...positionAt(text, start) }, told))
}

const doorAddress = /http:\/\/127\.0\.0\.1:\d{1,5}\/model\/$/
/** Longer than what is in front of the key. */
const doorAddressLength = 40

/** In the base URL that `contextd init` writes, the key is where it belongs: for this user, and for this machine only. */
function isDoorKey(text: string, start: number): boolean {
  return doorAddress.test(text.slice(Math.max(0, start - doorAddressLength), start))
}

const reach: Readonly<Record<Level, string>> = {
  managed: ' of the machine, which everybody on it can read',
  cli: '',
  local: ' and goes to every process of a session here',
  project: ' that the project shares',
  user: ' and goes to every process of every session',
}

/** Keys of the context broker as `ctxd context add` makes them. */
const brokerKey = /\bctx_[A-Za-z0-9_-]{20,}/g

/** Where each begins, in this order, each place once. */
function secrets(text: string, secretsIn: SecretsIn): number[] {
  const known = Array.from(text.matchAll(brokerKey), ({ index, 0: key }) => ({
    start: index,
    end: index + key.length,
  }))
  const others = secretsIn(text).filter(
    ({ start, end }) => !known.some((key) => start < key.end && key.start < end),
  )
  return [...known, ...others].map(({ start }) => start).sort((one, other) => one - other)
}

/** Servers and hooks that an agent brings are not shown to anybody. */
const unseen = new Set(['mcpServers', 'hooks'])

/** All at once: a thousand short texts take ten times as long as one. */
function inFrontmatters({ agents, secretsIn }: ClaudeSetup): FindingDetails[] {
  const starts = [0]
  for (const { body } of agents) starts.push((starts.at(-1) ?? 0) + body + 1)
  const joined = agents.map(({ text, body }) => text.slice(0, body)).join('\n')
  let index = 0
  return secrets(joined, secretsIn).flatMap((at) => {
    while (at >= (starts[index + 1] ?? Infinity)) index++
    const agent = agents[index]
    return agent === undefined ? [] : inFrontmatter(agent, at - (starts[index] ?? 0))
  })
}

function inFrontmatter({ file, text, keys, name }: AgentFile, at: number): FindingDetails[] {
  const key = Array.from(keys).find(([, { start, end }]) => start <= at && at < end)?.[0]
  if (key === undefined || unseen.has(key)) return []
  const message =
    key === 'description'
      ? `Every agent that may start \`${name}\` reads this secret in its description.`
      : `A secret stands under \`${key}\` of \`${name}\`, which is no place that is kept from others.`
  const fix = 'Move it into the body, or out of the prompt altogether, and make a new one: this one was seen.'
  return [findingAt({ file, ...positionAt(text, at) }, { message, fix })]
}

function inServer(server: McpServer, secretsIn: SecretsIn): FindingDetails[] {
  const { source, name, definition } = server
  if (source !== 'project' || secrets(JSON.stringify(definition, null, 1), secretsIn).length === 0) return []
  return [
    findingAt(server, {
      message: `A secret stands in what the project shares about the server \`${name}\`.`,
      fix: 'Write `${NAME}` in its place and set that variable where the client is started; make a new secret: this one was seen.',
      severity: 'error',
    }),
  ]
}
