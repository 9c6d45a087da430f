import { type Attack, bare, onlyRoot, perl, refusedCall, type Twin, weak } from '../attack.ts'

const topic = 'system calls'
const noModules = 'kernels can be built without modules'
const oneNode = 'kernels can be built for one memory node'
const optional = 'kernels can be built without it'

/**
 * Calls that must not reach the kernel. The arguments are such that the kernel, where it is reached, finds fault with
 * them before it asks who is calling, or does something harmless.
 */
const reaching: Readonly<Record<string, { args: string; twin?: Twin; mayBeAbsent?: string }>> = {
  ptrace: { args: '0, 0, 0, 0' },
  process_vm_readv: { args: '$$, 0, 0, 0, 0, 1' },
  process_vm_writev: { args: '$$, 0, 0, 0, 0, 1' },
  process_madvise: { args: '-1, 0, 0, 0, 1' },
  kcmp: { args: '$$, $$, 0, 0, 0', mayBeAbsent: optional },
  pidfd_getfd: { args: '-1, 0, 0' },
  mount: { args: '"none", "/nowhere/at/all", "tmpfs", 0, 0' },
  umount2: { args: '"/nowhere/at/all", 0x1000' },
  pivot_root: { args: '"/nowhere", "/nowhere"', twin: weak },
  chroot: { args: '"/nowhere/at/all"' },
  open_tree: { args: '-1, "x", 0x7fffffff' },
  open_tree_attr: { args: '-1, "x", 0x7fffffff, 0, 0', mayBeAbsent: 'new in Linux 6.15' },
  move_mount: { args: '-1, "x", -1, "x", 0x7fffffff', twin: weak },
  fsopen: { args: '"no such file system", 0', twin: weak },
  fsconfig: { args: '-1, 99, 0, 0, 0' },
  fsmount: { args: '-1, 0x7fffffff, 0', twin: weak },
  fspick: { args: '-1, "x", 0x7fffffff', twin: weak },
  mount_setattr: { args: '-1, "x", 0x7fffffff, 0, 0' },
  unshare: { args: '0x400' },
  setns: { args: '-1, 0' },
  name_to_handle_at: { args: '-100, "/", my $handle = "\\0" x 32, my $id = "\\0" x 8, 0' },
  open_by_handle_at: {
    args: '-1, my $handle = pack("L2", 8, 1) . "\\0" x 8, 0',
    twin: onlyRoot('kernels before 6.11 ask for root first'),
  },
  fanotify_init: { args: '0x200, 0', mayBeAbsent: optional },
  fanotify_mark: { args: '-1, 0x7fffffff, 0, -1, 0', mayBeAbsent: optional },
  add_key: { args: '"user", "contextd-battery", "x", 1, -2' },
  request_key: { args: '"user", "contextd-battery-none", 0, 0' },
  keyctl: { args: '0, -2, 1' },
  bpf: { args: '4, 0, 8192', mayBeAbsent: optional },
  perf_event_open: { args: '0, 0, 0, 0, 0x7fffffff', mayBeAbsent: optional },
  userfaultfd: { args: '1', mayBeAbsent: optional },
  io_uring_enter: { args: '-1, 0, 0, 0x7fffffff, 0, 0', mayBeAbsent: optional },
  io_uring_register: { args: '-1, 99, 0, 0', mayBeAbsent: optional },
  modify_ldt: { args: '0, 0, 0', mayBeAbsent: optional },
  memfd_secret: { args: '0x7fffffff', mayBeAbsent: 'kernels can be started without it' },
  mbind: { args: '0, 0, 99, 0, 0, 0', mayBeAbsent: oneNode },
  set_mempolicy: { args: '99, 0, 0', mayBeAbsent: oneNode },
  get_mempolicy: { args: '0, 0, 0, 0, 0', mayBeAbsent: oneNode },
  set_mempolicy_home_node: { args: '0, 0, 0, 1', mayBeAbsent: oneNode },
  migrate_pages: { args: '$$, 0, 0, 0', mayBeAbsent: oneNode },
  move_pages: { args: '0, 0, 0, 0, 0, 0x100', mayBeAbsent: oneNode },
  init_module: {
    args: '0, 0, ""',
    twin: onlyRoot('only root may change the kernel'),
    mayBeAbsent: noModules,
  },
  finit_module: {
    args: '-1, "", 0x7fffffff',
    twin: onlyRoot('only root may change the kernel'),
    mayBeAbsent: noModules,
  },
  delete_module: {
    args: '"contextd_battery_none", 0x800',
    twin: onlyRoot('only root may change the kernel'),
    mayBeAbsent: noModules,
  },
  settimeofday: { args: 'my $time = pack("q2", 0, 1 << 40), 0' },
  clock_settime: { args: '99, my $time = "\\0" x 16' },
  clock_adjtime: { args: '99, my $how = "\\0" x 256' },
  adjtimex: { args: 'my $how = "\\0" x 256' },
  sethostname: { args: '0, -1', twin: weak },
  setdomainname: { args: '0, -1', twin: weak },
  swapon: { args: '"/nowhere", 0x7fffffff' },
  swapoff: { args: '"/nowhere/at/all"', twin: onlyRoot('only root may change what is swapped') },
  acct: { args: '"/nowhere/at/all"', twin: onlyRoot('only root may keep accounts of processes') },
  quotactl: { args: '0x7fffffff, 0, 0, 0', mayBeAbsent: optional },
  quotactl_fd: { args: '-1, 0x7fffffff, 0, 0', mayBeAbsent: optional },
  ioperm: { args: '0, 0, 0', mayBeAbsent: optional },
  iopl: { args: '99', mayBeAbsent: optional },
}

/** `socket(…)`, with the error the filter answers. */
const sockets: readonly (readonly [
  name: string,
  args: string,
  refusal: number,
  twin: Twin,
  absent?: string,
])[] = [
  ['to the hypervisor (VSOCK)', '40, 1, 0', 97, bare, 'part of the kernel of virtual machines only'],
  [
    'to the hypervisor, junk in the high bits',
    '40 | (0xdead << 32), 1, 0',
    97,
    bare,
    'of virtual machines only',
  ],
  ['to the kernel (NETLINK)', '16, 3, 0', 97, bare],
  ['for whole packets (PACKET)', '17, 3, 0', 97, bare],
  ['to the kernel’s ciphers (ALG)', '38, 5, 0', 97, bare, optional],
  ['raw IPv4', '2, 3, 1', 1, weak],
  ['raw IPv6', '10, 3, 58', 1, weak],
  ['packet of the old kind', '2, 10, 0', 1, weak],
]

export const systemCallAttacks: readonly Attack[] = [
  ...Object.entries(reaching).flatMap(([name, { args, twin = bare, mayBeAbsent }]): Attack[] => {
    const number = refusedCall(name)
    if (number === undefined) return []
    const script = perl(`reach(${number}, ${args});`)
    return [{ topic, name: `call ${name}`, script, twin, mayBeAbsent }]
  }),
  ...sockets.map(([name, args, refusal, twin, mayBeAbsent]): Attack => ({
    topic: 'network',
    name: `make a socket ${name}`,
    script: perl(`my $result = syscall(${refusedCall('socket')}, ${args});
        absent() if $result == -1 && $! == 97 && $ENV{TWIN};
        taken(${refusal}, $result);`),
    twin,
    mayBeAbsent,
  })),
  {
    topic: 'network',
    name: 'make a socket to programs of the machine (UNIX)',
    script: perl(`taken(97, syscall(${refusedCall('socket')}, 1, 1, 0));`),
    openWithNetwork: 'the bridge is reached by a Unix socket',
    twin: bare,
  },
  {
    topic,
    name: 'set up io_uring',
    script: perl(`
my $result = syscall(${refusedCall('io_uring_setup')}, 0, 0);
absent() if $ENV{TWIN} && $! == 1;
taken(1, $result);`),
    twin: bare,
    mayBeAbsent: 'a setting of the kernel can switch it off',
  },
  {
    topic,
    name: 'read the memory of another process',
    script: perl(`
my $text = 'seen across'; my $seen = "\\0" x 11;
my $local = pack('P Q', $seen, 11); my $remote = pack('P Q', $text, 11);
my $child = fork; if ($child == 0) { sleep 5; POSIX::_exit(0) }
my $read = syscall(${refusedCall('process_vm_readv')}, $child, $local, 1, $remote, 1, 0);
kill 'KILL', $child;
verdict($read == 11 && $seen eq $text);
`),
    twin: bare,
  },
  {
    topic,
    name: 'read the memory of another process by its file',
    script: perl(`verdict(open(my $memory, '<', "/proc/$ENV{TARGET}/mem"));`),
    env: () => ({ TARGET: String(process.pid) }),
    twin: { ...bare, env: () => ({ TARGET: 'self' }) },
  },
  {
    topic,
    name: 'type into a terminal',
    script: perl(`my $text = 'x'; taken(1, syscall(${refusedCall('ioctl')}, 0, 0x5412, $text));`),
    twin: bare,
  },
  {
    topic,
    name: 'type into a terminal, junk in the high bits',
    script: perl(
      `my $text = 'x'; taken(1, syscall(${refusedCall('ioctl')}, 0, 0x5412 | (0xdead << 32), $text));`,
    ),
    twin: bare,
  },
  {
    topic,
    name: 'use the clipboard of the console',
    script: perl(`my $text = "\\2"; taken(1, syscall(${refusedCall('ioctl')}, 0, 0x541c, $text));`),
    twin: bare,
  },
  {
    topic,
    name: 'switch address randomization off',
    script: perl(`verdict(syscall(${refusedCall('personality')}, 0x0040000) != -1);`),
    twin: bare,
  },
  {
    topic,
    name: 'start a program without address randomization',
    script: 'if setarch -R true 2>/dev/null; then echo ESCAPED; else echo CONTAINED; fi',
    twin: bare,
  },
  {
    topic,
    name: 'pair sockets of a seldom kind',
    script: perl(`my $pair = "\\0" x 8; taken(97, syscall(${refusedCall('socketpair')}, 2, 1, 0, $pair));`),
    twin: bare,
  },
  ...(process.arch === 'x64' ? [oldDoor()] : []),
]

/** A program of four instructions that asks for its process id in the way of 32-bit programs. */
function oldDoor(): Attack {
  return {
    topic,
    name: 'call the kernel by the door for 32-bit programs',
    script: `perl -e '
my $code = "\\xb8\\x14\\0\\0\\0\\xcd\\x80\\x85\\xc0\\x7e\\x09" . "\\xbf\\x2a\\0\\0\\0\\xb8\\x3c\\0\\0\\0\\x0f\\x05";
my $header = "\\x7fELF\\2\\1\\1" . "\\0" x 9 . pack("S2 L Q3 L S6", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0);
my $segment = pack("L2 Q6", 1, 5, 0, 0x400000, 0x400000, 0x1000, 0x1000, 0x1000);
open(my $file, ">", "old-door") or die; binmode $file; print $file $header . $segment . $code; close $file;
chmod 0755, "old-door";'
./old-door; code=$?
if [ $code = 42 ]; then echo ESCAPED; elif [ $code = 159 ]; then echo CONTAINED; else echo "code $code"; echo ABSENT; fi`,
    twin: bare,
    mayBeAbsent: 'kernels can be built or started without it',
  }
}
