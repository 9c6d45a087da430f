/**
 * The first thing that runs inside. It waits for its command on a descriptor, so that a sandbox can be made ready ahead
 * of time, nothing runs before its limits are in place, and no command stands where other users of the machine can read
 * it. Where contextd is gone, the descriptor ends and so does the sandbox.
 */

import type { Command, Limits } from './sandbox.ts'

export const channelFile = 3
export const gateFile = 4

export interface GateOptions {
  /** Whether each process is limited to the memory of all, because nothing else counts it. */
  readonly memoryByProcess?: boolean
  /** Program and script of the bridge to granted hosts, and the socket it leads to. */
  readonly bridge?: { readonly node: string; readonly script: string; readonly socket: string }
}

/** On one line, so that bash counts the lines of the command from 1. */
export function gateScript(limits: Limits | undefined, options: GateOptions = {}): string {
  return gateLines(limits, options).join('; ')
}

/** A script for bash. `read -d ''` reads up to a NUL, which no argument can hold. */
export function gateLines(
  limits: Limits | undefined,
  { bridge, memoryByProcess = false }: GateOptions = {},
): string[] {
  return [
    ...(limits === undefined ? [] : limitLines(limits, memoryByProcess)),
    // Answers that the inside stands: what ends before is no failure of a command.
    `printf ready >&${gateFile}`,
    `next() { IFS= read -r -d '' -u ${gateFile} REPLY || exit 125; }`,
    `next; [ "$REPLY" = keep ] || exec ${channelFile}>&-`,
    // What comes in is a socket, which cannot be opened by its name; a pipe can.
    `next; if [ "$REPLY" = input ]; then exec < <(exec cat ${gateFile}<&-); else exec < /dev/null; fi`,
    `next; cd -- "$REPLY" || { printf 'no folder' >&${gateFile}; exit 125; }`,
    // Names that no variable of the command has, since those come before the arguments.
    'next; for (( __left = REPLY; __left > 0; __left-- )); do next; export "$REPLY"; done',
    'next; __args=(); for (( __left = REPLY; __left > 0; __left-- )); do next; __args+=("$REPLY"); done',
    `next; exec ${gateFile}<&-; unset -f next; unset __left`,
    ...(bridge === undefined
      ? []
      : [
          `exec {ready}< <(exec env -i ${bridge.node} --single-threaded --v8-pool-size=0 --max-old-space-size=32 ${bridge.script} ${bridge.socket} ${channelFile}>&-)`,
          'IFS= read -r -u $ready _ || exit 125; exec {ready}<&-; unset ready',
        ]),
    'if (( ${#__args[@]} )); then exec "${__args[@]}"; fi; unset __args',
    'eval "unset REPLY; $REPLY"',
  ]
}

function limitLines(
  { processes, memoryBytes, fileBytes, cpuSeconds }: Limits,
  memoryByProcess: boolean,
): string[] {
  const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024)
  return [
    `ulimit -c 0 -n 1024 -u ${processes} -f ${kilobytes(fileBytes)}`,
    // A cgroup counts what is used; this counts what is merely set aside, too, so that some programs ask in vain.
    ...(memoryByProcess ? [`ulimit -d ${kilobytes(memoryBytes)}`] : []),
    // The first signal says which limit it was, the second ends a process that does not listen.
    `ulimit -St ${cpuSeconds}; ulimit -Ht ${cpuSeconds + 1}`,
  ]
}

/** What the gate waits for. */
export function gateMessage({ run, cwd, env, stdin, onChannel }: Command): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const args = typeof run === 'string' ? [] : run
  const fields = [
    onChannel === undefined ? 'close' : 'keep',
    stdin === undefined ? 'none' : 'input',
    cwd,
    String(variables.length),
    ...variables,
    String(args.length),
    ...args,
    typeof run === 'string' ? run : '',
  ]
  if (fields.some((field) => field.includes('\0'))) throw new Error('a command cannot hold a NUL')
  return Buffer.from(`${fields.join('\0')}\0`)
}
