/** What an attack on the sandbox is. Each is harmless where it succeeds: marker files, small sizes, our own ports. */

import type { SandboxLimits } from '../../src/sandbox/sandbox.ts'
import { callNumber } from '../../src/sandbox/seccomp/syscalls.ts'
import type { Layout } from './layout.ts'

export type Topic =
  | 'files'
  | 'kernel files'
  | 'namespaces'
  | 'system calls'
  | 'network'
  | 'processes'
  | 'privileges'
  | 'limits'
  | 'workspace'

export interface Attack {
  readonly topic: Topic
  readonly name: string
  /**
   * For bash. Its last word is a line of its own: `ESCAPED` where the attack succeeded, `CONTAINED` where it ran and did
   * not, `ABSENT` where the kernel has no such thing. One that the sandbox ends has no last word.
   */
  readonly script: string
  /** Looked at from outside when the script has ended; true where the attack succeeded. */
  readonly after?: (layout: Layout) => boolean
  readonly twin: Twin
  /** Why the twin may find that this kernel does not have what is attacked. */
  readonly mayBeAbsent?: string | undefined
  /** Why it succeeds in a sandbox that reaches granted hosts. */
  readonly openWithNetwork?: string
  /** Needs a sandbox to itself: because of these limits, or (with none) because it would disturb others. */
  readonly alone?: Partial<SandboxLimits>
  /** What the script finds inside, where that differs from the twin. */
  readonly env?: (layout: Layout) => Record<string, string>
  /** What is different about the folders it finds. */
  readonly before?: (layout: Layout) => void
}

/** The same script where it must succeed: a probe that cannot notice success proves nothing. */
export interface Twin {
  /** Outside any sandbox, or in one that hides nothing, filters nothing and makes its user root of its own namespaces. */
  readonly where: 'bare' | 'weak'
  /** What the script attacks in place of the machine's own: its files, or larger sizes. */
  readonly env?: (layout: Layout) => Record<string, string>
  /** More options for the weak sandbox. */
  readonly options?: (layout: Layout) => string[]
  /** Why only root can succeed, in which case an ordinary user has no twin. */
  readonly onlyRoot?: string
}

export const bare: Twin = { where: 'bare' }
export const weak: Twin = { where: 'weak' }

/** What is used up is held until whoever watches now and then has looked; the twin need not wait. */
export const held = {
  env: () => ({ HOLD: '60' }),
  twin: { ...bare, env: () => ({ HOLD: '0' }) },
} satisfies Pick<Attack, 'env' | 'twin'>

/** The twin attacks files that only look like the kernel's, so that it works for everyone and changes nothing. */
export const standIn: Twin = {
  where: 'bare',
  env: ({ standIn: folder }) => ({
    PROC: `${folder}/proc`,
    SYS: `${folder}/sys`,
    DEV: `${folder}/dev`,
    ETC: `${folder}/etc`,
    ROOT: folder,
  }),
}

export function onlyRoot(why: string, twin: Twin = bare): Twin {
  return { ...twin, onlyRoot: why }
}

/** Success is that the commands succeed. */
export function succeeds(commands: string): string {
  return `if (\n${commands}\n) >/dev/null 2>&1; then echo ESCAPED; else echo CONTAINED; fi`
}

/** Success is that the command prints what stands in the files it must not see. */
export function reveals(commands: string): string {
  return `if (\n${commands}\n) 2>/dev/null | grep -aq 'secret-of-the-[o]utside'; then echo ESCAPED; else echo CONTAINED; fi`
}

/** Ends with the verdict itself; see `perlPrelude`. */
export function perl(program: string): string {
  return `perl - <<'END_OF_PERL'\n${perlPrelude}${program}\nEND_OF_PERL`
}

const perlPrelude = `
use strict; use POSIX (); use Socket; $| = 1;
sub verdict { print $_[0] ? "ESCAPED\\n" : "CONTAINED\\n"; POSIX::_exit(0) }
sub absent { print "ABSENT\\n"; POSIX::_exit(0) }
# Whether the kernel took a call, whatever it made of it; the filter answers the error given, or "no such call".
sub taken { my ($refusal, $result) = @_; my $error = $! + 0; verdict(1) if $result != -1;
  print "error $error\\n"; absent() if $error == 38; verdict($error != $refusal) }
# Copied, because perl hands no literal to the kernel.
sub call { my ($number, @args) = @_; return syscall($number, @args) }
sub reach { taken(1, call(@_)) }
`

/** Before every script. The names for the machine's folders are set where something else stands in for them. */
export const bashPrelude =
  'export PROC="${PROC-/proc}" SYS="${SYS-/sys}" DEV="${DEV-/dev}" ETC="${ETC-/etc}" ROOT="${ROOT-}"\ncd "$WS" || exit\n'

const arch = process.arch === 'arm64' ? 'arm64' : 'x64'

/** The number of a call of the profile on this machine; undefined where it has none. */
export function refusedCall(name: string): number | undefined {
  return callNumber(name, arch)
}

/** For calls the profile does not speak of. */
export function otherCall(x64: number, arm64: number): number {
  return arch === 'x64' ? x64 : arm64
}
