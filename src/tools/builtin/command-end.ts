/** How a command ended, for the model. */

import { homeFolder } from '@contextd/shared/files/home-folder'
import type { JsonObject } from '@contextd/shared/json/value'
import { parseShell } from '@contextd/shared/shell/parse-shell'
import type { LimitName, SandboxLimits } from '../../sandbox/sandbox.ts'
import { whyProtected } from '../files/protected-paths.ts'
import { realPathOf } from '../real-path.ts'
import type { RefusedHosts, ShellEnded } from '../shell/shell.ts'

/** Everything but its output. `timeNote` replaces the explanation of the time limit. */
export function describeEnd(
  { exitCode, limit, movedAside, refusedHosts }: ShellEnded,
  workspace: string,
  limits: SandboxLimits,
  timeNote?: string,
): JsonObject {
  const shown = (path: string): string =>
    path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path
  const notes = { ...limitNotes(limits), ...(timeNote !== undefined && { time: timeNote }) }
  return {
    exit_code: exitCode,
    ...(limit !== undefined && { limit, note: notes[limit] }),
    ...(refusedHosts.size > 0 && {
      refused_hosts: [...refusedHosts.keys()],
      refused_because: refusedBecause(refusedHosts),
    }),
    ...(movedAside.length > 0 && {
      moved_aside: movedAside.map(({ path, to }) => ({ path: shown(path), to: shown(to) })),
      moved_aside_because: movedBecause(movedAside, workspace),
    }),
  }
}

/** Explains the end of what a command started with `&` and did not wait for; undefined if it has no such part. */
export function leftoverNote(command: string): string | undefined {
  const { tokens } = parseShell(command)
  const isWaiting = tokens.some(
    (token) => token.type === 'word' && command.slice(token.start, token.end) === 'wait',
  )
  const isLeft = tokens.some((token) => token.type === 'separator' && token.operator === '&')
  return isLeft && !isWaiting
    ? 'What was started with & has ended with the command. To keep it running, pass background: true without &.'
    : undefined
}

/** Explains errors that only mean what the sandbox keeps from programs; undefined for any other output. */
export function confinementNote({ isProxied, exitCode, stdout, stderr }: ShellEnded): string | undefined {
  if (!isProxied) return undefined
  const output = exitCode === 0 ? stderr.toString() : `${stderr.toString()}\n${stdout.toString()}`
  if (signingFailures.some((text) => output.includes(text))) {
    return 'Signing keys are not in the sandbox: use git commit --no-gpg-sign, and let the user sign later.'
  }
  const [unresolved, host] = unresolvedName.exec(output) ?? []
  if (unresolved === undefined) return undefined
  const grant = host === undefined ? 'http:fetch:<host>' : `http:fetch:${host}`
  return `No names resolve in the sandbox. Hosts are reached over http and https, by programs that use the proxy in https_proxy, such as curl and git with https:// (not ssh); they need a grant (${grant}).`
}

const signingFailures = ['gpg failed to sign the data', "error: Couldn't load public key"]
const unresolvedName =
  /(?:(?:Could not resolve host(?:name)?:?|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|UnknownHostException:) ([\w.-]{1,253})|Name or service not known|Temporary failure in name resolution)/

function refusedBecause(hosts: RefusedHosts): string {
  const reasons = [...hosts].map(([host, { reason }]) => `${host}: ${reason}.`)
  const grants = new Set([...hosts.values()].flatMap(({ grant }) => grant ?? []))
  const next =
    grants.size === 0
      ? []
      : [`The user can add to allow.capabilities of the agent: ${[...grants].join(', ')}`]
  return [...reasons, ...next].join(' ')
}

function movedBecause(movedAside: ShellEnded['movedAside'], workspace: string): string {
  const places = { workspace, home: realPathOf(homeFolder()) }
  const reasons = new Set(movedAside.map(({ path }) => whyProtected(path, places)))
  return `Only the user may write these. ${[...reasons].join('; ')}.`
}

function limitNotes(limits: SandboxLimits): Readonly<Record<LimitName, string>> {
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
  return {
    time: 'Killed at its timeout: pass a larger timeout_ms or background: true, or do less at once.',
    cpu: `Killed at its limit of CPU time: ${limits.cpuSeconds} s per ${limits.timeMs / 1000} s of its timeout (sandbox.cpu_seconds).`,
    memory: `Ran out of memory: ${megabytes(limits.memoryBytes)} MB (sandbox.memory_mb).`,
    processes: `Reached its limit of ${limits.processes} processes and threads (sandbox.processes).`,
    file_size: `Killed because a file exceeded ${megabytes(limits.fileBytes)} MB (sandbox.file_mb).`,
    output: 'Killed because of too much output: redirect it to a file and read parts of that.',
    disk: `Killed because it added over ${megabytes(limits.diskBytes)} MB to the workspace or to caches (sandbox.disk_mb).`,
    files: `Killed because it created over ${limits.diskFiles} files (sandbox.disk_files).`,
  }
}
