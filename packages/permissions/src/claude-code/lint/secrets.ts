/** Secrets in places that others can read. */

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
    why: 'The description of an agent is part of the prompt of every agent that may start it, and the rest of the frontmatter is configuration that tools display and log. A key for one agent belongs in its body, or better in no prompt at all: let the server identify the caller, or pass it the key in the `env` of an `mcpServers` entry that only this agent has.',
    check: inFrontmatters,
  },
  {
    id: 'secret-in-settings',
    severity: 'warning',
    title: 'A secret in settings',
    why: 'Every process that the client starts receives `env` from the settings, including commands of the model; hooks and `.mcp.json` are in the repository for everyone to read. In files that a project shares, it is an error. Keep secrets in the environment or in a helper (`apiKeyHelper`), and write `${NAME}` if a server needs one.',
    check: ({ settings, servers, secretsIn }) => [
      ...settings.flatMap((file) => inSettings(file, secretsIn)),
      ...servers.flatMap((server) => inServer(server, secretsIn)),
    ],
  },
]

function inSettings({ file, text, level }: SettingsFile, secretsIn: SecretsIn): FindingDetails[] {
  const finding: FindingText = {
    message: `The settings contain a secret${reach[level]}.`,
    fix: 'Remove it, pass it to the process in another way, and rotate it: this one was exposed.',
    ...(level === 'project' && { severity: 'error' }),
  }
  const starts = secretStarts(text, secretsIn)
  const isShared = level === 'project' || level === 'managed'
  const reported = isShared ? starts : starts.filter((start) => !isDoorKey(text, start))
  return reported.map((start) => findingAt({ file, ...positionAt(text, start) }, finding))
}

const doorAddress = /http:\/\/127\.0\.0\.1:\d{1,5}\/model\/$/
/** Upper bound for the length of the address before the key. */
const maxDoorAddressLength = 40

/** The base URL that `ctxd init` writes contains a key on purpose: it is valid for this user on this machine only. */
function isDoorKey(text: string, start: number): boolean {
  return doorAddress.test(text.slice(Math.max(0, start - maxDoorAddressLength), start))
}

const reach: Readonly<Record<Level, string>> = {
  managed: ', and everyone on this machine can read them',
  cli: '',
  local: ', which every process of a session here receives',
  project: ', and the project shares them',
  user: ', which every process of every session receives',
}

/** Keys of the context broker as `ctxd context add` makes them. */
const brokerKey = /\bctx_[A-Za-z0-9_-]{20,}/g

/** Start offsets, ascending, without duplicates. */
function secretStarts(text: string, secretsIn: SecretsIn): number[] {
  const known = Array.from(text.matchAll(brokerKey), ({ index, 0: key }) => ({
    start: index,
    end: index + key.length,
  }))
  const others = secretsIn(text).filter(
    ({ start, end }) => !known.some((key) => start < key.end && key.start < end),
  )
  return [...known, ...others].map(({ start }) => start).sort((one, other) => one - other)
}

/** The client does not display these keys. */
const hiddenKeys = new Set(['mcpServers', 'hooks'])

/** Scans all frontmatter in one call: a thousand short texts take ten times as long as one. */
function inFrontmatters({ agents, secretsIn }: ClaudeSetup): FindingDetails[] {
  const starts = [0]
  for (const { body } of agents) starts.push((starts.at(-1) ?? 0) + body + 1)
  const joined = agents.map(({ text, body }) => text.slice(0, body)).join('\n')
  let index = 0
  return secretStarts(joined, secretsIn).flatMap((at) => {
    while (at >= (starts[index + 1] ?? Infinity)) index++
    const agent = agents[index]
    return agent === undefined ? [] : inFrontmatter(agent, at - (starts[index] ?? 0))
  })
}

function inFrontmatter({ file, text, keys, name }: AgentFile, at: number): FindingDetails[] {
  const key = Array.from(keys).find(([, { start, end }]) => start <= at && at < end)?.[0]
  if (key === undefined || hiddenKeys.has(key)) return []
  const message =
    key === 'description'
      ? `Every agent that may start \`${name}\` sees this secret in its description.`
      : `\`${key}\` of \`${name}\` contains a secret, and its value is not hidden from others.`
  const fix = 'Move it to the body, or out of the prompt altogether, and rotate it: this one was exposed.'
  return [findingAt({ file, ...positionAt(text, at) }, { message, fix })]
}

function inServer(server: McpServer, secretsIn: SecretsIn): FindingDetails[] {
  const { source, name, definition } = server
  const text = JSON.stringify(definition, null, 1)
  if (source !== 'project' || secretStarts(text, secretsIn).length === 0) return []
  return [
    findingAt(server, {
      message: `The shared definition of the server \`${name}\` contains a secret.`,
      fix: 'Write `${NAME}` instead and set that variable where the client is started; rotate the secret: this one was exposed.',
      severity: 'error',
    }),
  ]
}
