/**
 * Ends servers if contextd is killed: one that ignores the end of its input would run forever. A single shell waits for
 * our end of a pipe to close, and then kills the process groups of all servers.
 */

import { spawn, type ChildProcess } from 'node:child_process'

import { markVariable } from './leftovers.ts'

const script = `
all=
while read -r word group mark; do
  case $word in
    add) all="$all $group:$mark" ;;
    drop)
      kept=
      for one in $all; do [ "\${one%%:*}" = "$group" ] || kept="$kept $one"; done
      all=$kept ;;
  esac
done
[ -n "$all" ] || exit 0
sleep 2
for one in $all; do kill -TERM -"\${one%%:*}"; done
sleep 2
for one in $all; do
  kill -KILL -"\${one%%:*}"
  for file in $(grep -lzsx "${markVariable}=\${one#*:}" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done
`

const groups = new Map<number, string>()
let shell: ChildProcess | undefined

/** Kills the process group after contextd exits. Returns a function that cancels this. */
export function reapOnExit(group: number, mark: string): () => void {
  groups.set(group, mark)
  if (shell === undefined) startShell()
  else send(`add ${group} ${mark}`)
  return () => {
    groups.delete(group)
    send(`drop ${group}`)
  }
}

function startShell(): void {
  const started = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    // Signals from our terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell = started
  const forget = (): void => {
    if (shell === started) shell = undefined
  }
  started.once('error', forget)
  started.once('exit', forget)
  started.stdin.on('error', () => {})
  // It must not keep contextd running.
  started.unref()
  ;(started.stdin as unknown as { unref?(): void }).unref?.()
  for (const [group, mark] of groups) send(`add ${group} ${mark}`)
}

function send(line: string): void {
  shell?.stdin?.write(`${line}\n`)
}
