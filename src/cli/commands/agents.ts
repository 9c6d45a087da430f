/** `ctxd agents`: the configured agents and their tokens. */

import type { Command } from 'commander'

import { ContextdError } from '../../core/errors/errors.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { refuseInsideAgent } from '@contextd/shared/operator'
import type {
  AgentsListResponseJson,
  AgentsListTokensResponseJson,
} from '../../servers/control/gen/contextd/v1/agents_pb.ts'
import * as tokens from '../../servers/control/operations/agents.ts'
import { withControl } from '../support/control.ts'
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
} from '@contextd/shared/cli/output'
import { withRecords, withRuntime } from '../support/with-runtime.ts'

export function agentsCommand(io: CliIo = processIo()): Command {
  const token = newGroup('token', 'bearer tokens for callers over HTTP', 'ctxd agents token list')
  token.addCommand(
    newCommand(
      'create',
      'create a token; it is shown only once',
      'ctxd agents token create --agent main --label laptop',
    )
      .requiredOption('--agent <id>', 'agent that the token authenticates (required)')
      .option('--label <text>', 'label shown in `list`', '')
      .action((options: JsonOption & { agent: string; label: string }) => createToken(options, io)),
  )
  token.addCommand(
    newCommand('list', 'list tokens, without their secrets', 'ctxd agents token list').action(
      (options: JsonOption) => listTokens(options, io),
    ),
  )
  token.addCommand(
    newCommand('revoke', 'revoke a token, effective immediately', 'ctxd agents token revoke Zx1_kQ9aB2c')
      .argument('<id>', 'ID shown by `list`')
      .action((id: string, options: JsonOption) => revokeToken(id, options, io)),
  )
  return newGroup('agents', 'list agents and manage their tokens', 'ctxd agents list')
    .addCommand(
      newCommand('list', 'list the agents in the active rules', 'ctxd agents list').action(
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
      problem: `tokens are created on the machine they are for, and CONTEXTD_ADDR names another (${io.env.CONTEXTD_ADDR})`,
      hint: 'Run the command there, or unset CONTEXTD_ADDR for this machine.',
    })
  }
  await withRuntime(io, ({ rules, tokens: agentTokens, audit }) => {
    const { agents, resolveAgent } = rules.current()
    const id = resolveAgent(agent)
    if (id === undefined) {
      const meant = nearest(agent, [...agents.keys()])
      const hint = meant === undefined ? '`ctxd agents list` shows them.' : `Did you mean ${meant}?`
      throw new ContextdError('NOT_FOUND', { what: `agent ${agent} in the rules`, hint })
    }
    const { token, secret } = agentTokens.create(id, label)
    audit.event('token-created', { id: token.id }, { agent: id })
    if (json) return printJson({ ...tokens.tokenJson(token), token: secret }, io)
    printLine(secret, io)
    note(`ID ${token.id}; save the token, it cannot be shown again`, io)
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
  if (known.length === 0) return printLine('No tokens.', io)
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
