/**
 * The first program that runs inside. It reads its command from a descriptor, so that a sandbox can be prepared in
 * advance, nothing runs before its limits apply, and other users of the machine cannot read the command. If contextd
 * dies, the descriptor closes and the sandbox ends.
 */

import { waitForRequest } from './bridge/refuse.ts'
import type { Command, SandboxLimits } from './sandbox.ts'

const channelFile = 3
export const gateFile = 4

export interface GateOptions {
  /** Whether each process is limited to the memory of the whole tree, because nothing else limits it. */
  readonly memoryByProcess?: boolean
  /** Program and script of the bridge to granted hosts, and the socket it connects to. */
  readonly bridge?: {
    readonly node: string
    readonly script: string
    readonly socket: string
    /** `socket,address,port` of each service. */
    readonly services?: readonly string[]
  }
  /** Program and script of the proxy that refuses all hosts. */
  readonly refusal?: { readonly node: string; readonly refusal: string }
}

/** On one line, so that bash numbers the lines of the command from 1. */
export function gateScript(limits: SandboxLimits | undefined, options: GateOptions = {}): string {
  return gateLines(limits, options).join('; ')
}

/** A bash script. `read -d ''` reads up to a NUL, which no argument can contain. */
export function gateLines(
  limits: SandboxLimits | undefined,
  { bridge, refusal, memoryByProcess = false }: GateOptions = {},
): string[] {
  return [
    ...(limits === undefined ? [] : limitLines(limits)),
    // Before the sandbox is ready: one that is prepared in advance has it already.
    ...(refusal === undefined ? [] : refusalLines(refusal)),
    // Reports that the sandbox is ready: an earlier end is not a failure of the command.
    `printf 'ready\\n' >&${gateFile}`,
    `next() { IFS= read -r -d '' -u ${gateFile} REPLY || exit 125; }`,
    `next; [ "$REPLY" = keep ] || exec ${channelFile}>&-`,
    // The input is a socket, which cannot be opened by name; a pipe can.
    `next; case $REPLY in input) exec < <(exec cat ${gateFile}<&-);; open) ;; *) exec < /dev/null;; esac`,
    `next; cd -- "$REPLY" || { printf 'no folder\\n' >&${gateFile}; exit 125; }`,
    // Before the variables of the command are set: they would affect our programs too.
    ...(bridge === undefined ? [] : bridgeLines(bridge)),
    // The command's variables cannot overwrite this name, because they come before the arguments.
    'next; for (( __left = REPLY; __left > 0; __left-- )); do next; export "$REPLY"; done',
    'next; __args=(); for (( __left = REPLY; __left > 0; __left-- )); do next; __args+=("$REPLY"); done',
    `next; exec ${gateFile}<&-; unset -f next; unset __left`,
    // Includes memory that is only reserved, of which Node reserves some hundred megabytes: set after ours has started.
    ...(limits !== undefined && memoryByProcess ? [`ulimit -d ${kilobytes(limits.memoryBytes)}`] : []),
    'if (( ${#__args[@]} )); then exec "${__args[@]}"; fi; unset __args',
    'eval "unset REPLY; $REPLY"',
  ]
}

const nodeFlags = '--single-threaded --v8-pool-size=0 --max-old-space-size=32'

function refusalLines({ node, refusal }: NonNullable<GateOptions['refusal']>): string[] {
  const start = `${node} ${nodeFlags} ${refusal} ${gateFile}`
  const perl = '/usr/bin/perl'
  return [
    `exec {__ready}< <(${inBackground(`exec < /dev/null ${channelFile}>&-; [ ! -x ${perl} ] || exec ${perl} -e '${waitForRequest}' ${start}; exec ${start}`)})`,
    untilReady,
  ]
}

/** Not as a child of the command's shell, whose `wait` would wait for it. */
function inBackground(script: string): string {
  return `(${script}) &`
}

/** Waits for the line that the program prints. */
const untilReady = 'IFS= read -r -u $__ready _ || exit 125; exec {__ready}<&-; unset __ready'

function bridgeLines({ node, script, socket, services = [] }: NonNullable<GateOptions['bridge']>): string[] {
  return [
    `exec {__ready}< <(${inBackground(`exec ${node} ${nodeFlags} ${[script, socket, ...services].join(' ')} ${channelFile}>&- ${gateFile}<&-`)})`,
    untilReady,
  ]
}

function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024)
}

function limitLines({ processes, fileBytes, cpuSeconds }: SandboxLimits): string[] {
  return [
    `ulimit -c 0 -n 1024 -u ${processes} -f ${kilobytes(fileBytes)}`,
    // The first signal identifies the limit, the second kills a process that ignores it.
    `ulimit -St ${cpuSeconds}; ulimit -Ht ${cpuSeconds + 1}`,
  ]
}

/**
 * The message that the gate waits for. With its input open, a command has it directly and not through another process.
 */
export function gateMessage({ run, cwd, env, stdin, onChannel }: Command, isInputOpen = false): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const args = typeof run === 'string' ? [] : run
  const fields = [
    onChannel === undefined ? 'close' : 'keep',
    isInputOpen ? 'open' : stdin === undefined ? 'none' : 'input',
    cwd,
    String(variables.length),
    ...variables,
    String(args.length),
    ...args,
    typeof run === 'string' ? run : '',
  ]
  if (fields.some((field) => field.includes('\0'))) throw new Error('a command cannot contain a NUL')
  return Buffer.from(`${fields.join('\0')}\0`)
}
