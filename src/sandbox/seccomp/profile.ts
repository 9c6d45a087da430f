/** The system calls a confined process may not make. All others stay allowed, so that programs work. */

import {
  type CallGroup,
  type ErrorName,
  filteredCalls,
  refusedGroups,
  unseenMemoryGroup,
} from './syscalls.ts'

/** Compares only the low 32 bits: the kernel treats these arguments as ints and drops the rest. */
export interface SeccompCondition {
  /** The argument's index, from 0. */
  readonly argument: number
  /** The bits to compare; all by default. */
  readonly mask?: number
  /** The call is refused if the argument … */
  readonly is:
    | { readonly anyBitOf: number }
    | { readonly oneOf: readonly number[] }
    | { readonly noneOf: readonly number[] }
}

export interface SeccompRule {
  readonly call: string
  readonly answer: ErrorName
  /** Always, by default. */
  readonly when?: SeccompCondition
}

export interface ProfileOptions {
  /** Sockets to the machine's programs. Connected pairs are always allowed. */
  readonly unixSockets: boolean
  /** Memory that belongs to no process: for sandboxes whose memory a cgroup limits. */
  readonly unseenMemory?: boolean
}

interface FilteredCall extends SeccompRule {
  readonly call: keyof typeof filteredCalls
  readonly when: SeccompCondition
  readonly what: string
  readonly why: string
}

const family = { unix: 1, inet: 2, inet6: 10 }
const socketType = { stream: 1, datagram: 2, packets: 5, mask: 0xf }
const protocol = { any: 0, icmp: 1, tcp: 6, udp: 17, icmp6: 58 }
const namespaceFlags = {
  mount: 0x00020000,
  cgroup: 0x02000000,
  uts: 0x04000000,
  ipc: 0x08000000,
  user: 0x10000000,
  pid: 0x20000000,
  net: 0x40000000,
}
const terminal = { pushInput: 0x5412, linuxConsole: 0x541c, lineDiscipline: 0x5423 }
const persona = { ordinary: 0, onlyAsk: 0xffffffff }

const setuidBit = 0o4000
/**
 * Calls that have the file mode as an argument. `openat2` has it in memory, which a filter cannot read, and is refused.
 */
const modeArguments = [
  ['chmod', 1],
  ['fchmod', 1],
  ['fchmodat', 2],
  ['fchmodat2', 2],
  ['creat', 1],
  ['open', 2],
  ['openat', 3],
  ['mknod', 1],
  ['mknodat', 2],
] as const

function filtered(unixSockets: boolean): FilteredCall[] {
  return [
    {
      call: 'clone',
      what: 'clone with a flag for a new namespace',
      why: 'creates a namespace',
      answer: 'EPERM',
      when: {
        argument: 0,
        is: { anyBitOf: Object.values(namespaceFlags).reduce((bits, flag) => bits | flag, 0) },
      },
    },
    {
      call: 'ioctl',
      what: 'ioctl TIOCSTI, TIOCLINUX, TIOCSETD',
      why: 'injects terminal input, or changes the terminal mode',
      answer: 'EPERM',
      when: { argument: 1, is: { oneOf: Object.values(terminal) } },
    },
    {
      call: 'socket',
      what: `socket of a family other than IPv4, IPv6${unixSockets ? ', Unix' : ''}`,
      why: 'reaches beyond the network namespace (VSOCK reaches the hypervisor) or rarely used parts of the kernel',
      answer: 'EAFNOSUPPORT',
      when: {
        argument: 0,
        is: { noneOf: [family.inet, family.inet6, ...(unixSockets ? [family.unix] : [])] },
      },
    },
    {
      call: 'socket',
      what: 'socket that is raw, or of another seldom type',
      why: 'sends raw packets',
      answer: 'EPERM',
      when: {
        argument: 1,
        mask: socketType.mask,
        is: {
          noneOf: [socketType.stream, socketType.datagram, ...(unixSockets ? [socketType.packets] : [])],
        },
      },
    },
    {
      call: 'socket',
      what: 'socket for a protocol other than TCP, UDP, ICMP',
      why: 'rarely used protocols, loaded into the kernel on demand',
      answer: 'EPROTONOSUPPORT',
      when: { argument: 2, is: { noneOf: Object.values(protocol) } },
    },
    {
      call: 'socketpair',
      what: 'socketpair of a family other than Unix',
      why: 'rarely used parts of the kernel, loaded on demand',
      answer: 'EAFNOSUPPORT',
      when: { argument: 0, is: { noneOf: [family.unix] } },
    },
    {
      call: 'personality',
      what: 'personality with a value other than 0, beyond asking for it',
      why: 'disables memory protections such as address randomisation',
      answer: 'EPERM',
      when: { argument: 0, is: { noneOf: Object.values(persona) } },
    },
    ...modeArguments.map(([call, argument]): FilteredCall => ({
      call,
      what: `${call} with the setuid bit`,
      why: 'creates a program that runs with the privileges of its owner',
      answer: 'EPERM',
      when: { argument, is: { anyBitOf: setuidBit } },
    })),
  ]
}

function refused(unseenMemory: boolean): readonly CallGroup[] {
  return unseenMemory ? refusedGroups : [...refusedGroups, unseenMemoryGroup]
}

export function profile({ unixSockets, unseenMemory = false }: ProfileOptions): SeccompRule[] {
  const always = refused(unseenMemory).flatMap(({ calls, answer }) =>
    Object.keys(calls).map((call) => ({ call, answer })),
  )
  return [...always, ...filtered(unixSockets).map(({ call, answer, when }) => ({ call, answer, when }))]
}

export interface ProfileRow {
  readonly names: readonly string[]
  readonly answer: ErrorName
  readonly why: string
}

/** The strictest profile, described for documentation. Calls of a foreign architecture kill the process instead. */
export function describeProfile(): ProfileRow[] {
  return [
    ...refused(false).map(({ calls, answer, why }) => ({ names: Object.keys(calls), answer, why })),
    ...[...new Map(filtered(false).map((call) => [call.what, call])).values()].map(
      ({ what, answer, why }) => ({
        names: [what],
        answer,
        why,
      }),
    ),
  ]
}
