/** `ctxd agents`: who may call, and the tokens that prove it. */

import type { Command } from 'commander'

import type { Runtime } from '../../compose.ts'
import { formatCapability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors.ts'
import { nearest } from '../../platform/nearest.ts'
import { refuseInsideAgent } from '../../platform/operator.ts'
import {
  newCommand,
  newGroup,
  note,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '../ui/output.ts'
import { withRecords, withRuntime } from '../with-runtime.ts'

export function agentsCommand(io: CliIo = processIo()): Command {
  const token = newGroup('token', 'bearer tokens for callers over HTTP', 'ctxd agents token list')
  token.addCommand(
    newCommand(
      'create',
      'make a token; it is shown this once',
      'ctxd agents token create --agent main --label laptop',
    )
      .requiredOption('--agent <id>', 'the agent it stands for (required)')
      .option('--label <text>', 'what it is for', '')
      .action((options: JsonOption & { agent: string; label: string }) => createToken(options, io)),
  )
  token.addCommand(
    newCommand('list', 'the tokens there are, without their secrets', 'ctxd agents token list').action(
      (options: JsonOption) => listTokens(options, io),
    ),
  )
  token.addCommand(
    newCommand('revoke', 'end a token at once, everywhere', 'ctxd agents token revoke Zx1_kQ9aB2c')
      .argument('<id>', 'the id that `list` shows')
      .action((id: string, options: JsonOption) => revokeToken(id, options, io)),
  )
  return newGroup('agents', 'who may call, and their tokens', 'ctxd agents list')
    .addCommand(
      newCommand('list', 'the agents of the rules in force', 'ctxd agents list').action(
        (options: JsonOption) => listAgents(options, io),
      ),
    )
    .addCommand(token)
}

function listAgents({ json }: JsonOption, io: CliIo): Promise<void> {
  return withRuntime(io, ({ rules }) => {
    const { agents: known, files } = rules.current()
    const agents = [...known].map(([id, { grants, limits }]) => ({
      id,
      capabilities: grants.map(formatCapability),
      limits,
    }))
    if (json) printJson({ agents, files }, io)
    else
      printTable(
        ['AGENT', 'CAPABILITIES'],
        agents.map(({ id, capabilities }) => [id, capabilities.join(', ')]),
        io,
      )
  })
}

async function createToken(
  { agent, label, json }: JsonOption & { agent: string; label: string },
  io: CliIo,
): Promise<void> {
  refuseInsideAgent(io.env)
  await withRuntime(io, ({ rules, tokens, audit }) => {
    const { agents, resolveAgent } = rules.current()
    const id = resolveAgent(agent)
    if (id === undefined) {
      const meant = nearest(agent, [...agents.keys()])
      const hint = meant === undefined ? undefined : `Did you mean ${meant}?`
      throw new ContextdError('NOT_FOUND', { what: 'agent of that name in the rules', hint })
    }
    const { token, secret } = tokens.create(id, label)
    audit.event('token-created', { id: token.id }, { agent: id })
    if (json) return printJson({ ...toJson(token), token: secret }, io)
    printLine(secret, io)
    note(`id ${token.id}; keep it, it cannot be shown again`, io)
  })
}

function listTokens({ json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, (records) => {
    const tokens = records.tokens.list().map(toJson)
    if (json) return printJson({ tokens }, io)
    if (tokens.length === 0) return printLine('There are no tokens.', io)
    const rows = tokens.map(({ id, agent, label, created_at, used_at = '', revoked_at = '' }) => [
      id,
      agent,
      label,
      created_at,
      used_at,
      revoked_at,
    ])
    printTable(['ID', 'AGENT', 'LABEL', 'CREATED', 'USED', 'REVOKED'], rows, io)
  })
}

type AgentToken = ReturnType<Runtime['tokens']['list']>[number]

interface TokenJson {
  readonly id: string
  readonly agent: string
  readonly label: string
  readonly created_at: string
  readonly used_at?: string
  readonly revoked_at?: string
}

function toJson({ id, agent, label, createdAt, usedAt, revokedAt }: AgentToken): TokenJson {
  const date = (time: number): string => new Date(time).toISOString()
  return {
    id,
    agent,
    label,
    created_at: date(createdAt),
    ...(usedAt !== undefined && { used_at: date(usedAt) }),
    ...(revokedAt !== undefined && { revoked_at: date(revokedAt) }),
  }
}

async function revokeToken(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  await withRuntime(io, ({ tokens, audit }) => {
    if (!tokens.revoke(id)) throw new ContextdError('NOT_FOUND', { what: 'live token with that id' })
    audit.event('token-revoked', { id })
    if (json) printJson({ id, revoked: true }, io)
    else printLine('Revoked.', io)
  })
}
