/** `ctxd rules allow`, `deny`, `grant` and `reveal`: one change to the user's rules. */

import type { Command } from 'commander'

import { OWN_SERVER } from '../../../core/call.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { newCommand, type CliIo } from '@contextd/shared/cli/output'
import { refuseInsideAgent } from '@contextd/shared/operator'
import { hintMeantName, nameFinder, type NameKind } from '../../support/known-names.ts'
import type { RuleChange } from '../../../stages/policy/edit/change-rules.ts'
import type { RulesEditOptions } from './user-rules/user-rules.ts'

interface RevealOptions extends RulesEditOptions {
  readonly argument?: string
  readonly host?: string
}

export function changeCommands(io: CliIo): Command[] {
  const changing = (name: string, description: string, example: string): Command =>
    newCommand(name, description, example)
      .argument('<agent>', 'agent ID or alias')
      .option('--yes', 'skip the confirmation')
  return [
    changing('allow', 'allow a server or tool', 'ctxd rules allow main postgres.query')
      .argument('<what>', '<server> or <server>.<tool>')
      .action((agent: string, what: string, options: RulesEditOptions) =>
        changeAccess('allow', agent, what, options, io),
      ),
    changing('deny', 'deny a server or tool', 'ctxd rules deny reviewer contextd.safe_bash')
      .argument('<what>', '<server> or <server>.<tool>')
      .action((agent: string, what: string, options: RulesEditOptions) =>
        changeAccess('deny', agent, what, options, io),
      ),
    changing('grant', 'grant a capability', 'ctxd rules grant main http:fetch:api.example.com')
      .argument('<capability>', '<kind>[:<scope>], such as fs:read:src/**')
      .action((agent: string, capability: string, options: RulesEditOptions) =>
        change(agent, { kind: 'grant', capability }, options, io),
      ),
    changing(
      'reveal',
      'let a tool get real secret values',
      'ctxd rules reveal main http_fetch --host api.example.com',
    )
      .argument('<tool>', 'tool name; <server>.<tool> for a tool of another server')
      .option('--argument <name>', 'only in this argument')
      .option('--host <host>', 'only if every destination is this host')
      .action((agent: string, tool: string, { argument, host, ...options }: RevealOptions) =>
        change(
          agent,
          {
            kind: 'reveal',
            reveal: {
              tool,
              ...(argument !== undefined && { argument }),
              ...(host !== undefined && { host }),
            },
          },
          options,
          io,
        ),
      ),
  ]
}

async function changeAccess(
  kind: 'allow' | 'deny',
  agent: string,
  what: string,
  options: RulesEditOptions,
  io: CliIo,
): Promise<void> {
  const target = targetOf(what)
  await refuseToolAsServer(kind, agent, target, io)
  await change(agent, { kind, ...target }, options, io)
}

/** A rule about a server of this name would have no effect, and look as if it had one. */
async function refuseToolAsServer(
  kind: 'allow' | 'deny',
  agent: string,
  { server, tool }: { server: string; tool?: string },
  io: CliIo,
): Promise<void> {
  if (tool !== undefined) return
  const find = nameFinder(io)
  const known = async (names: NameKind): Promise<boolean> =>
    (await find(names)).some(({ value }) => value === server)
  if (!(await known('tools')) || (await known('servers'))) return
  throw new ContextdError('USAGE', {
    problem: `${server} is a tool of ${OWN_SERVER}, not a server`,
    hint: `Run \`ctxd rules ${kind} ${agent} ${OWN_SERVER}.${server}\`.`,
  })
}

async function change(
  agent: string,
  wanted: RuleChange,
  options: RulesEditOptions,
  io: CliIo,
): Promise<void> {
  refuseInsideAgent(io.env)
  const { changeRules } = await import('../../../stages/policy/edit/change-rules.ts')
  const { installRules, readRulesForEdit } = await import('./user-rules/user-rules.ts')
  if (wanted.kind === 'grant') await checkHosts(wanted.capability)
  const before = readRulesForEdit(io)
  const text = changeRules(before, agent, wanted)
  await hintMeantName('agents', agent, io)
  const asked = wanted.kind === 'allow' || wanted.kind === 'deny' ? askedOf(agent, wanted) : undefined
  if (asked !== undefined) await hintMeantName('servers', asked.server, io)
  await installRules({ before, text, ...(asked !== undefined && { asked }) }, options, io)
}

async function checkHosts(capability: string): Promise<void> {
  const { parseHostScope } = await import('../../../tools/http/host-scope.ts')
  const [, scope] = /^http:fetch:(.+)$/s.exec(capability) ?? []
  if (scope === undefined || parseHostScope(scope) !== undefined) return
  throw new ContextdError('USAGE', {
    problem: `${capability} matches no host`,
    hint: 'Write http:fetch:[METHOD,…@]<host>[:<port>], without a scheme or path.',
  })
}

function targetOf(what: string): { server: string; tool?: string } {
  const [, server = '', tool] = /^([^.]+)(?:\.(.+))?$/s.exec(what) ?? []
  if (server === '') {
    throw new ContextdError('USAGE', { problem: `${what} is not <server> or <server>.<tool>` })
  }
  return tool === undefined ? { server } : { server, tool }
}

/** For a whole server, the decision about a tool that no rule names. */
function askedOf(agent: string, { server, tool = '*' }: { server: string; tool?: string }) {
  return { agent, server, tool }
}
