/**
 * Ends what we started when we are gone without having had the time: a server that does not mind the end of its input
 * would run on for ever. A shell that sleeps until our end of a pipe closes, one for all servers.
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

/** From now on the group does not outlive us for long. The answer ends that. */
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
    // What is typed at our terminal is not meant for it.
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
  // It is there for as long as we are; we need not be there for it.
  started.unref()
  ;(started.stdin as unknown as { unref?(): void }).unref?.()
  for (const [group, mark] of groups) send(`add ${group} ${mark}`)
}

function send(line: string): void {
  shell?.stdin?.write(`${line}\n`)
}
