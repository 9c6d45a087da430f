/** `ctxd agents`: who may call, and the tokens that prove it. */

import { Command } from 'commander'

import { formatCapability } from '../../core/capability.ts'
import { ContextdError } from '../../core/errors.ts'
import { newCommand, note, printJson, printLine, printTable, processIo, type CliIo } from '../ui/output.ts'
import { withRecords, withRuntime } from '../with-runtime.ts'

interface Json {
  readonly json?: true
}

export function agentsCommand(io: CliIo = processIo()): Command {
  const token = new Command('token').description('bearer tokens for callers over HTTP')
  token.addCommand(
    newCommand(
      'create',
      'make a token; it is shown this once',
      'ctxd agents token create --agent main --label laptop',
    )
      .requiredOption('--agent <id>', 'the agent it stands for')
      .option('--label <text>', 'what it is for', '')
      .action((options: Json & { agent: string; label: string }) => createToken(options, io)),
  )
  token.addCommand(
    newCommand('list', 'the tokens there are, without their secrets', 'ctxd agents token list').action(
      (options: Json) => listTokens(options, io),
    ),
  )
  token.addCommand(
    newCommand('revoke', 'end a token at once, everywhere', 'ctxd agents token revoke Zx1_kQ9aB2c')
      .argument('<id>', 'the id that `list` shows')
      .action((id: string, options: Json) => revokeToken(id, options, io)),
  )
  return new Command('agents')
    .description('who may call, and their tokens')
    .addCommand(
      newCommand('list', 'the agents of the rules in force', 'ctxd agents list').action((options: Json) =>
        listAgents(options, io),
      ),
    )
    .addCommand(token)
}

function listAgents({ json }: Json, io: CliIo): Promise<void> {
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

function createToken(
  { agent, label, json }: Json & { agent: string; label: string },
  io: CliIo,
): Promise<void> {
  return withRuntime(io, ({ rules, tokens, audit }) => {
    const id = rules.current().resolveAgent(agent)
    if (id === undefined) throw new ContextdError('NOT_FOUND', { what: 'agent of that name in the rules' })
    const { token, secret } = tokens.create(id, label)
    audit.event('token-created', { id: token.id }, { agent: id })
    if (json) return printJson({ ...token, token: secret }, io)
    printLine(secret, io)
    note(`id ${token.id}; keep it, it cannot be shown again`, io)
  })
}

function listTokens({ json }: Json, io: CliIo): Promise<void> {
  return withRecords(io, (records) => {
    const tokens = records.tokens.list()
    if (json) return printJson({ tokens }, io)
    if (tokens.length === 0) return printLine('There are no tokens.', io)
    const date = (time: number | undefined): string =>
      time === undefined ? '' : new Date(time).toISOString()
    const rows = tokens.map(({ id, agent, label, createdAt, usedAt, revokedAt }) => [
      id,
      agent,
      label,
      date(createdAt),
      date(usedAt),
      date(revokedAt),
    ])
    printTable(['ID', 'AGENT', 'LABEL', 'CREATED', 'USED', 'REVOKED'], rows, io)
  })
}

function revokeToken(id: string, { json }: Json, io: CliIo): Promise<void> {
  return withRuntime(io, ({ tokens, audit }) => {
    if (!tokens.revoke(id)) throw new ContextdError('NOT_FOUND', { what: 'live token with that id' })
    audit.event('token-revoked', { id })
    if (json) printJson({ id, revoked: true }, io)
    else printLine('Revoked.', io)
  })
}
