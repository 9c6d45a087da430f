/** `ctxd agents`: who may call, and the tokens that prove it. */

import type { Command } from 'commander'

import { ContextdError } from '../../core/errors.ts'
import { nearest } from '../../platform/nearest.ts'
import { refuseInsideAgent } from '../../platform/operator.ts'
import type {
  AgentsListResponseJson,
  AgentsListTokensResponseJson,
} from '../../servers/control/gen/contextd/v1/agents_pb.ts'
import * as tokens from '../../servers/control/operations/agents.ts'
import { withControl } from '../control.ts'
import {
  minuteOf,
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

async function listAgents({ json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(io, (api) => api.call('Agents/List', {}))
  const { agents = [] } = answered as AgentsListResponseJson
  if (json) return printJson(answered, io)
  printTable(
    ['AGENT', 'CAPABILITIES'],
    agents.map(({ id = '', capabilities = [] }) => [id, capabilities.join(', ')]),
    io,
  )
}

async function createToken(
  { agent, label, json }: JsonOption & { agent: string; label: string },
  io: CliIo,
): Promise<void> {
  refuseInsideAgent(io.env)
  if (io.env.CONTEXTD_ADDR) {
    throw new ContextdError('USAGE', {
      problem: `a token is made on the machine it is for, and CONTEXTD_ADDR names another (${io.env.CONTEXTD_ADDR})`,
      hint: 'Run the command there, or without CONTEXTD_ADDR for this machine.',
    })
  }
  await withRuntime(io, ({ rules, tokens: agentTokens, audit }) => {
    const { agents, resolveAgent } = rules.current()
    const id = resolveAgent(agent)
    if (id === undefined) {
      const meant = nearest(agent, [...agents.keys()])
      const hint = meant === undefined ? '`ctxd agents list` has them.' : `Did you mean ${meant}?`
      throw new ContextdError('NOT_FOUND', { what: 'agent of that name in the rules', hint })
    }
    const { token, secret } = agentTokens.create(id, label)
    audit.event('token-created', { id: token.id }, { agent: id })
    if (json) return printJson({ ...tokens.tokenJson(token), token: secret }, io)
    printLine(secret, io)
    note(`id ${token.id}; keep it, it cannot be shown again`, io)
  })
}

async function listTokens({ json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(
    io,
    (api) => api.call('Agents/ListTokens', {}),
    () => withRecords(io, tokens.issuedTokens),
  )
  if (json) return printJson(answered, io)
  const { tokens: known = [] } = answered as AgentsListTokensResponseJson
  if (known.length === 0) return printLine('There are no tokens.', io)
  const rows = known.map((token) => [
    token.id ?? '',
    token.agent ?? '',
    token.label ?? '',
    minuteOf(token.created_at ?? ''),
    minuteOf(token.used_at ?? ''),
    minuteOf(token.revoked_at ?? ''),
  ])
  printTable(['ID', 'AGENT', 'LABEL', 'CREATED', 'USED', 'REVOKED'], rows, io)
}

async function revokeToken(id: string, { json }: JsonOption, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  const answered = await withControl(
    io,
    (api) => api.call('Agents/RevokeToken', { id }),
    () => withRecords(io, (records) => tokens.revokeToken(records, id)),
  )
  if (json) printJson(answered, io)
  else printLine('Revoked.', io)
}
