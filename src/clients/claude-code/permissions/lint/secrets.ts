/** Secrets where everybody sees them. */

import { positionAt } from '../../../../platform/config/text-position.ts'
import type { Found, LintRule } from '../../../permissions/finding.ts'
import type { SecretsIn } from '../../../permissions/masked.ts'
import type { AgentFile, ClaudeSetup, Level, McpServer, SettingsFile } from '../setup.ts'
import { foundAt, type Told } from './found-in.ts'

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

function inSettings({ file, text, level }: SettingsFile, secretsIn: SecretsIn): Found[] {
  const told: Told = {
    message: `A secret stands in the settings${reach[level]}.`,
    fix: 'Take it out, give it to the process in another way, and make a new one: this one was seen.',
    ...(level === 'project' && { severity: 'error' }),
  }
  const isExpected = (start: number): boolean => ownLevels.has(level) && text.startsWith(doorKey, start)
  return secrets(text, secretsIn)
    .filter((start) => !isExpected(start))
    .map((start) => foundAt({ file, ...positionAt(text, start) }, told))
}

/** `contextd init` writes the key of the model door to these files: the client reads its base URL nowhere else. */
const ownLevels: ReadonlySet<Level> = new Set(['local', 'user'])
const doorKey = 'ctxm_'

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
function inFrontmatters({ agents, secretsIn }: ClaudeSetup): Found[] {
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

function inFrontmatter({ file, text, keys, name }: AgentFile, at: number): Found[] {
  const key = Array.from(keys).find(([, { start, end }]) => start <= at && at < end)?.[0]
  if (key === undefined || unseen.has(key)) return []
  const message =
    key === 'description'
      ? `Every agent that may start \`${name}\` reads this secret in its description.`
      : `A secret stands under \`${key}\` of \`${name}\`, which is no place that is kept from others.`
  const fix = 'Move it into the body, or out of the prompt altogether, and make a new one: this one was seen.'
  return [foundAt({ file, ...positionAt(text, at) }, { message, fix })]
}

function inServer(server: McpServer, secretsIn: SecretsIn): Found[] {
  const { source, name, definition } = server
  if (source !== 'project' || secrets(JSON.stringify(definition, null, 1), secretsIn).length === 0) return []
  return [
    foundAt(server, {
      message: `A secret stands in what the project shares about the server \`${name}\`.`,
      fix: 'Write `${NAME}` in its place and set that variable where the client is started; make a new secret: this one was seen.',
      severity: 'error',
    }),
  ]
}
