/** What the user chooses before `ctxd init` plans anything: the clients, and the mode. */

import { requireOperator } from '@contextd/shared/operator'
import type { CliIo } from '@contextd/shared/cli/output'
import { findClients, platforms, type Platform } from '../../../clients/find-clients.ts'
import { CodedError, ContextdError } from '../../../core/errors/errors.ts'
import type { loadConfig } from '../../../platform/config/load-config.ts'
import type { InitOptions } from './init.ts'
import type { InitSetup } from './plan.ts'

type Mode = InitSetup['mode']

export interface ModeChoice {
  readonly mode: Mode
  /** Whether it has to be written to the configuration. */
  readonly isNew: boolean
  /** Whether it replaces a stricter mode. */
  readonly isLoosened: boolean
}

export function choosePlatforms({ platform, tools }: InitOptions, io: CliIo): Platform[] {
  if (platform === 'all') return [...platforms]
  if (platform !== undefined) return [platform]
  if (tools) return []
  const found = findClients(io.env.PATH ?? '').map(({ id }) => id)
  if (found.length > 0) return found
  throw new ContextdError('USAGE', {
    problem: 'no supported client is on the PATH',
    hint: `Choose one with --platform ${platforms.join('|')}.`,
  })
}

export async function chooseMode(
  { mode: wanted, dryRun }: InitOptions,
  chosen: readonly Platform[],
  { config, sources }: ReturnType<typeof loadConfig>,
  io: CliIo,
): Promise<ModeChoice> {
  const before = config.client.mode
  const isStored = sources.has('client.mode')
  const isAsked = !dryRun && !isStored && chosen.length > 0
  const choice = wanted ?? (isAsked ? await askMode(io) : undefined)
  const mode = choice ?? before
  return {
    mode,
    // Stored even if it is the default, so that the user is not asked again.
    isNew: choice !== undefined && !(isStored && choice === before),
    isLoosened: before === 'strict' && mode === 'friendly',
  }
}

async function askMode(io: CliIo): Promise<Mode | undefined> {
  const isStrict = await ask('Set up strict mode (no: friendly)', io, [
    "friendly: agents keep the client's own shell and file tools, and their output is scrubbed",
    "strict: those are refused, and agents use contextd's, in the sandbox",
  ])
  return isStrict === undefined ? undefined : isStrict ? 'strict' : 'friendly'
}

/** Whether our tools are added to these agent files, which are shared with others. */
export async function chooseAgentTools(
  { agentTools, dryRun }: InitOptions,
  files: readonly string[],
  io: CliIo,
): Promise<boolean> {
  if (agentTools !== undefined || dryRun || files.length === 0) return agentTools ?? false
  const question = `Add contextd's tools to ${files.length === 1 ? 'this agent' : `these ${files.length} agents`}`
  const details = [
    'These agents list built-in tools, which strict mode removes:',
    ...files.map((file) => `  ${file}`),
  ]
  return (await ask(question, io, details)) ?? false
}

/** Undefined without a terminal. */
async function ask(question: string, io: CliIo, details: readonly string[]): Promise<boolean | undefined> {
  try {
    await requireOperator({ ...io, details, question })
    return true
  } catch (error) {
    if (error instanceof CodedError && error.code === 'APPROVAL_REQUIRED') return false
    if (error instanceof CodedError && error.code === 'OPERATOR_REQUIRED') return undefined
    throw error
  }
}
