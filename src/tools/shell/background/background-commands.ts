/** Commands that keep running between calls, each for the agent of a session that started it. */

import { randomBytes } from 'node:crypto'

import { callerName, type Call } from '../../../core/call.ts'
import {
  CodedError,
  ContextdError,
  describeError,
  type ErrorObject,
  shortName,
} from '../../../core/errors/errors.ts'
import type { Clock } from '../../../core/ports.ts'
import { surroundingBytes } from '../../files/secret-parts.ts'
import type { ShellEnded } from '../shell.ts'
import { recordCommand } from './command-journal.ts'
import { createOutputLog, type OutputLog } from './output-log.ts'

export type CommandState =
  | { readonly status: 'running' }
  /** `reason` if the rules ended it. */
  | { readonly status: 'stopped'; readonly reason?: string }
  | { readonly status: 'exited'; readonly ended: ShellEnded }
  | { readonly status: 'failed'; readonly error: ErrorObject }

export interface BackgroundCommand {
  readonly id: string
  readonly output: Pick<OutputLog, 'read'>
  /** Where the next read continues if it names no offset. */
  readTo: number
  state(): CommandState
  /** Resolves when it has ended. */
  readonly done: Promise<void>
  stop(reason?: string): Promise<void>
}

export interface CommandRun {
  readonly signal: AbortSignal
  readonly onOutput: OutputLog['append']
}

export interface BackgroundCommands {
  /** `text` is the scrubbed command, for lists. Throws TOO_MANY_COMMANDS. */
  start(call: Call, text: string, run: (parts: CommandRun) => Promise<ShellEnded>): BackgroundCommand
  /** Throws NOT_FOUND, also for the command of another session or agent. */
  find(call: Call, id: string): BackgroundCommand
  isUsedIn(session: string): boolean
  /** Called when a session gets its first command. */
  onFirst(listener: () => void): () => void
  endSession(session: string): void
  /** Ends those that the rules no longer allow. */
  endRefused(): void
  close(): Promise<void>
}

export interface BackgroundOptions {
  /** Where running commands are recorded. */
  readonly folder: string
  readonly clock: Clock
  /** Why a call could not start its command now; undefined if it could. */
  readonly refusedBecause: (call: Call) => string | undefined
  readonly onEnded: (call: Call, id: string, state: CommandState) => void
  /** Called if `onEnded` or the journal fails; the command has ended nevertheless. */
  readonly onFailure: (error: unknown) => void
}

/** Running at the same time. An agent leaves as many free as it has, so that others can always start some. */
const maxPerSession = 4
const maxRunning = 16
/** Ended ones whose output can still be read. */
const maxEndedPerSession = 8
const maxOutputBytes = 1 << 20
const maxListedText = 200

interface Entry extends BackgroundCommand {
  readonly session: string
  readonly owner: string
  readonly call: Call
}

export function createBackgroundCommands(options: BackgroundOptions): BackgroundCommands {
  const { folder, clock, refusedBecause, onEnded, onFailure } = options
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  /** Of sessions that have ended. */
  const ending = new Set<Promise<void>>()
  const of = (session: string): Entry[] => [...entries.values()].filter((entry) => entry.session === session)
  const isRunning = (entry: Entry): boolean => entry.state().status === 'running'

  const endIfRefused = (entry: Entry): void => {
    const reason = refusedBecause(entry.call)
    if (reason !== undefined) void entry.stop(reason)
  }
  const makeRoom = (call: Call): void => {
    const { session } = call
    refuseAbove(maxPerSession, of(session).filter(isRunning).length, 'in this session')
    const running = [...entries.values()].filter(isRunning)
    refuseAbove(maxRunning, running.length, 'in all sessions')
    const own = running.filter((entry) => agentOf(entry.call) === agentOf(call)).length
    refuseAbove(maxRunning - running.length, own, 'for this agent, and the rest is for others')
    const ended = of(session).filter((entry) => !isRunning(entry))
    for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEndedPerSession + 1)))
      entries.delete(id)
  }

  return {
    start(call, text, run) {
      makeRoom(call)
      const id = `bg_${randomBytes(4).toString('hex')}`
      const remove = recordCommand(folder, {
        id,
        agent: call.principal?.agent ?? '',
        project: call.project,
        command: text.length > maxListedText ? `${text.slice(0, maxListedText)}…` : text,
        started_at: new Date(clock()).toISOString(),
      })
      const running = runCommand(run, (state) => {
        // Nothing awaits the end of the command: a failure here would end contextd.
        for (const step of [remove, () => onEnded(call, id, state)]) {
          try {
            step()
          } catch (error) {
            onFailure(error)
          }
        }
      })
      const entry: Entry = { ...running, id, readTo: 0, session: call.session, owner: ownerOf(call), call }
      const isFirst = of(call.session).length === 0
      entries.set(id, entry)
      // The rules may have changed since they decided about the call.
      endIfRefused(entry)
      if (isFirst) for (const listener of listeners) listener()
      return entry
    },
    find(call, id) {
      const entry = entries.get(id)
      if (entry === undefined || entry.session !== call.session || entry.owner !== ownerOf(call)) {
        throw new ContextdError('NOT_FOUND', {
          what: `background command ${shortName(id)}`,
          hint: 'Commands end with the session and agent that started them. Start it again with safe_bash.',
        })
      }
      return entry
    },
    isUsedIn: (session) => of(session).length > 0,
    onFirst(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    endSession(session) {
      for (const entry of of(session)) {
        entries.delete(entry.id)
        const ended = entry.stop()
        ending.add(ended)
        void ended.finally(() => ending.delete(ended))
      }
    },
    endRefused: () => [...entries.values()].filter(isRunning).forEach(endIfRefused),
    async close() {
      await Promise.all([...ending, ...[...entries.values()].map((entry) => entry.stop())])
    },
  }
}

/** Another agent of the session, or another running instance of the same one, is another owner. */
function ownerOf(call: Call): string {
  return JSON.stringify([agentOf(call), call.principal?.instance ?? ''])
}

function agentOf(call: Call): string {
  return JSON.stringify([call.tenant, callerName(call)])
}

function refuseAbove(limit: number, running: number, where: string): void {
  if (running >= limit) throw new ContextdError('TOO_MANY_COMMANDS', { limit, where })
}

function runCommand(
  run: (parts: CommandRun) => Promise<ShellEnded>,
  onEnd: (state: CommandState) => void,
): Pick<BackgroundCommand, 'output' | 'state' | 'done' | 'stop'> {
  const output = createOutputLog({ maxBytes: maxOutputBytes, aroundBytes: surroundingBytes })
  const stopping = new AbortController()
  let state: CommandState = { status: 'running' }
  let stoppedBecause: string | undefined
  const untilEnded = async (): Promise<void> => {
    const last = await outcomeOf(run({ signal: stopping.signal, onOutput: output.append }), stopping.signal)
    output.end()
    state =
      last.status === 'stopped' && stoppedBecause !== undefined ? { ...last, reason: stoppedBecause } : last
    onEnd(state)
  }
  const done = untilEnded()
  return {
    output,
    state: () => state,
    done,
    async stop(reason) {
      if (!stopping.signal.aborted) stoppedBecause = reason
      stopping.abort(new ContextdError('CANCELLED'))
      await done
    },
  }
}

async function outcomeOf(running: Promise<ShellEnded>, signal: AbortSignal): Promise<CommandState> {
  try {
    return { status: 'exited', ended: await running }
  } catch (error) {
    if (signal.aborted) return { status: 'stopped' }
    const isKnown = error instanceof ContextdError || error instanceof CodedError
    return {
      status: 'failed',
      error: isKnown ? (error.toObject() as ErrorObject) : describeError('TOOL_FAILED'),
    }
  }
}
