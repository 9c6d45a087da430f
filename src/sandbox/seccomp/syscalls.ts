/** The system calls in the profile, why each is refused, and their numbers on both architectures. */

export type Arch = 'x64' | 'arm64'

/** The error of a refused call. */
export const errorNumbers = {
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EAFNOSUPPORT: 97,
} as const
export type ErrorName = keyof typeof errorNumbers

/** On x64 and arm64; undefined if the architecture lacks the call. */
type Numbers = readonly [x64: number, arm64: number | undefined]

export interface CallGroup {
  readonly why: string
  readonly answer: ErrorName
  readonly calls: Readonly<Record<string, Numbers>>
}

/** Refused with any arguments. */
export const refusedGroups: readonly CallGroup[] = [
  {
    why: 'reads, changes or compares other processes',
    answer: 'EPERM',
    calls: {
      ptrace: [101, 117],
      process_vm_readv: [310, 270],
      process_vm_writev: [311, 271],
      process_madvise: [440, 440],
      kcmp: [312, 272],
      pidfd_getfd: [438, 438],
    },
  },
  {
    why: 'changes mounts, or the root folder',
    answer: 'EPERM',
    calls: {
      mount: [165, 40],
      umount2: [166, 39],
      pivot_root: [155, 41],
      chroot: [161, 51],
      open_tree: [428, 428],
      open_tree_attr: [467, 467],
      move_mount: [429, 429],
      fsopen: [430, 430],
      fsconfig: [431, 431],
      fsmount: [432, 432],
      fspick: [433, 433],
      mount_setattr: [442, 442],
    },
  },
  {
    why: 'creates or enters a namespace',
    answer: 'EPERM',
    calls: {
      unshare: [272, 97],
      setns: [308, 268],
    },
  },
  {
    why: 'their arguments are in memory, which a filter cannot read; programs fall back to clone and openat',
    answer: 'ENOSYS',
    calls: {
      clone3: [435, 435],
      openat2: [437, 437],
    },
  },
  {
    why: 'opens files by handle, bypassing paths, or watches whole file systems',
    answer: 'EPERM',
    calls: {
      open_by_handle_at: [304, 265],
      name_to_handle_at: [303, 264],
      lookup_dcookie: [212, 18],
      fanotify_init: [300, 262],
      fanotify_mark: [301, 263],
    },
  },
  {
    why: 'keys are shared by the whole machine, without namespaces',
    answer: 'EPERM',
    calls: {
      add_key: [248, 217],
      request_key: [249, 218],
      keyctl: [250, 219],
    },
  },
  {
    why: 'a large part of the kernel with many past vulnerabilities, which ordinary programs do not need',
    answer: 'EPERM',
    calls: {
      bpf: [321, 280],
      perf_event_open: [298, 241],
      userfaultfd: [323, 282],
      io_uring_setup: [425, 425],
      io_uring_enter: [426, 426],
      io_uring_register: [427, 427],
      modify_ldt: [154, undefined],
      uselib: [134, undefined],
      nfsservctl: [180, 42],
      vhangup: [153, 58],
    },
  },
  {
    why: 'memory that not even the kernel can read',
    answer: 'ENOSYS',
    calls: {
      memfd_secret: [447, 447],
    },
  },
  {
    why: 'moves memory between NUMA nodes, for itself and for others',
    answer: 'EPERM',
    calls: {
      mbind: [237, 235],
      set_mempolicy: [238, 237],
      get_mempolicy: [239, 236],
      set_mempolicy_home_node: [450, 450],
      migrate_pages: [256, 238],
      move_pages: [279, 239],
    },
  },
  {
    why: 'changes the kernel, or boots another one',
    answer: 'EPERM',
    calls: {
      init_module: [175, 105],
      finit_module: [313, 273],
      delete_module: [176, 106],
      kexec_load: [246, 104],
      kexec_file_load: [320, 294],
      reboot: [169, 142],
    },
  },
  {
    why: 'settings and logs of the whole machine',
    answer: 'EPERM',
    calls: {
      settimeofday: [164, 170],
      clock_settime: [227, 112],
      clock_adjtime: [305, 266],
      adjtimex: [159, 171],
      sethostname: [170, 161],
      setdomainname: [171, 162],
      swapon: [167, 224],
      swapoff: [168, 225],
      acct: [163, 89],
      quotactl: [179, 60],
      quotactl_fd: [443, 443],
      syslog: [103, 116],
      ioperm: [173, undefined],
      iopl: [172, undefined],
    },
  },
]

/** Refused if memory is measured per process only. */
export const unseenMemoryGroup: CallGroup = {
  why: 'memory that belongs to no process, so that only a cgroup can limit it',
  answer: 'ENOSYS',
  calls: {
    memfd_create: [319, 279],
    shmget: [29, 194],
  },
}

/** Refused with some arguments only, which the profile defines. */
export const filteredCalls = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  personality: [135, 92],
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  creat: [85, undefined],
  open: [2, undefined],
  openat: [257, 56],
  mknod: [133, undefined],
  mknodat: [259, 33],
} as const satisfies Readonly<Record<string, Numbers>>

const numbers = new Map<string, Numbers>(
  [...refusedGroups.map((group) => group.calls), unseenMemoryGroup.calls, filteredCalls].flatMap((calls) =>
    Object.entries(calls),
  ),
)

/** Undefined if the architecture lacks the call. Throws for an unknown name. */
export function callNumber(name: string, arch: Arch): number | undefined {
  const found = numbers.get(name)
  if (found === undefined) throw new Error(`no such system call in the table: ${name}`)
  return arch === 'x64' ? found[0] : found[1]
}
