/** Tests whether the sandbox works on this machine, by running the real options and trying to escape. */

import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

import type { Confinement, Sandbox } from './sandbox.ts'

/** Absolute paths: a project may contain a program of the same name. */
const bwrapPlaces = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']
const bashPlaces = ['/usr/bin/bash', '/bin/bash']

export interface SandboxProblem {
  readonly cause: string
  readonly fix: string
}

export function findBubblewrap(
  places: readonly string[] = bwrapPlaces,
): { bwrap: string; bash: string; version: string } | SandboxProblem {
  const { platform, arch } = process
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    return { cause: `no sandbox is available for ${platform} on ${arch}`, fix: 'use Linux on x64 or arm64' }
  }
  const bwrap = places.find(isExecutable)
  if (bwrap === undefined) {
    return {
      cause: 'bubblewrap is not installed',
      fix: 'apt-get install bubblewrap (or your system’s package of that name)',
    }
  }
  const bash = bashPlaces.find(isExecutable)
  if (bash === undefined) return { cause: 'bash is not installed', fix: 'install bash' }
  try {
    const version = execFileSync(bwrap, ['--version'], {
      env: {},
      timeout: 5000,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return { bwrap, bash, version: version.trim() }
  } catch {
    return { cause: 'bubblewrap does not run', fix: 'reinstall the package bubblewrap' }
  }
}

const confinement: Confinement = {
  folders: [],
  hidden: [],
  guarded: [],
  programs: [],
  limits: {
    timeMs: 10_000,
    cpuSeconds: 10,
    memoryBytes: 64 << 20,
    processes: 32,
    fileBytes: 1 << 20,
    outputBytes: 65_536,
    diskBytes: 1 << 20,
    diskFiles: 1000,
  },
}

/**
 * Each line prints its name if the attempt succeeds. Only bash and coreutils, so that nothing else must be installed.
 * Every attempt is harmless if it succeeds: it changes nothing, or sets something to its current value. Those that need
 * no process come first: outside a user namespace the process limit includes all processes of the user, and bash waits
 * until it may create one.
 */
const attempts = [
  'declare -A status; while read -r name value; do status[$name]=$value; done < /proc/self/status',
  '[ "${status[Seccomp:]}" = 2 ] || echo "no seccomp filter"',
  '[ "${status[NoNewPrivs:]}" = 1 ] || echo "new privileges"',
  'for set in CapEff CapPrm CapBnd CapInh CapAmb; do [ "${status[$set:]}" = 0000000000000000 ] || echo "capabilities"; done',
  'for place in / /usr /etc /dev /proc/sys/kernel; do [ -w $place ] && echo "writing to $place"; done',
  'for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sysrq-trigger; do ( : >> $file ) 2>/dev/null && echo "writing to $file"; done',
  'chmod 666 /dev/null 2>/dev/null && echo "changing devices"',
  '[ -n "$(tr -d "\\0" < /proc/1/environ)" ] && echo "the environment of contextd"',
  '[ "$(grep -c : /proc/net/dev)" -gt 1 ] && echo "the network"',
  'for file in /proc/self/fd/*; do [ "${file##*/}" -gt 4 ] && [ -e "$file" ] && [ "${file##*/}" -lt 255 ] && echo "a descriptor of contextd"; done',
  'unshare -U true 2>/dev/null && echo "making user namespaces"',
  'echo done',
].join('\n')

/** Undefined if nothing escaped. */
export async function tryToEscape(run: Sandbox['run']): Promise<SandboxProblem | undefined> {
  const command = { run: attempts, cwd: '/', env: {} }
  try {
    const { exitCode, limit, stdout, stderr } = await run(command, confinement)
    const lines = new Set(stdout.toString().split('\n'))
    lines.delete('')
    const isComplete = lines.delete('done') && exitCode === 0
    // Checked first: an escape matters even if the other attempts did not run.
    if (lines.size > 0) {
      return {
        cause: `the sandbox is not secure: ${[...lines].join(', ')}`,
        fix: 'update bubblewrap and the kernel',
      }
    }
    if (isComplete) return undefined
    const why =
      limit === undefined ? stderr.toString().trim().split('\n')[0] : `it ran into its limit of ${limit}`
    return { cause: `a confined command did not run to its end: ${why}`, fix: namespaceFix }
  } catch (error) {
    return { cause: error instanceof Error ? error.message : String(error), fix: namespaceFix }
  }
}

const namespaceFix =
  'allow unprivileged user namespaces: sysctl user.max_user_namespaces=15000 (kernel.unprivileged_userns_clone=1 on older Debian); on Ubuntu an AppArmor profile for bwrap: `profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }`; in a container, a seccomp profile that lets it make namespaces'

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
