import { accessSync, constants } from 'node:fs'

import { runProgram } from './run-program.ts'

/** Whether code can be run confined on this machine, found out by trying. */
export type SandboxState =
  | { readonly available: true; readonly version: string }
  | { readonly available: false; readonly cause: string; readonly fix: string }

/** Absolute on purpose: a project may ship a program of the same name. */
const places = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']

const confined = [
  '--unshare-all',
  '--unshare-user',
  '--disable-userns',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
  '--proc',
  '/proc',
  '--',
]

export async function probeSandbox(candidates: readonly string[] = places): Promise<SandboxState> {
  const bwrap = candidates.find(isExecutable)
  if (bwrap === undefined) {
    return {
      available: false,
      cause: 'bubblewrap is not installed',
      fix: 'apt-get install bubblewrap (or your system’s package of that name)',
    }
  }
  const inside = (script: string): ReturnType<typeof runProgram> =>
    runProgram(bwrap, [...confined, '/bin/sh', '-c', script], { timeoutMs: 5000 })

  // Positive: a command runs. Negative: the same command cannot write, nor see any network but its own loopback.
  const runs = await inside('echo inside')
  if (runs.code !== 0 || runs.stdout !== 'inside\n') {
    return {
      available: false,
      cause: `bubblewrap cannot confine a process here: ${firstLine(runs.stderr)}`,
      fix: 'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile for bwrap)',
    }
  }
  const leaks = await inside('[ "$(grep -c : /proc/net/dev)" -gt 1 ] || (: > /contextd-probe) 2>/dev/null')
  if (leaks.code === 0) {
    return {
      available: false,
      cause: 'a confined process could write outside or see the network',
      fix: 'update bubblewrap and the kernel',
    }
  }
  const { stdout } = await runProgram(bwrap, ['--version'], { timeoutMs: 5000 })
  return { available: true, version: stdout.trim() }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
