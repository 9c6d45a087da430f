import { type Attack, bare, perl, refusedCall, succeeds, weak } from '../attack.ts'

const topic = 'namespaces'
const clone = refusedCall('clone')

const flags = {
  mount: 0x00020000,
  cgroup: 0x02000000,
  uts: 0x04000000,
  ipc: 0x08000000,
  user: 0x10000000,
  pid: 0x20000000,
  net: 0x40000000,
}

const options = {
  mount: '-m',
  cgroup: '-C',
  uts: '-u',
  ipc: '-i',
  user: '-U',
  pid: '-p',
  net: '-n',
  time: '-T',
}

/** The child that is made leaves at once. */
const tryClone = (call: string): string =>
  perl(`my $pid = ${call}; POSIX::_exit(0) if defined $pid && $pid == 0; verdict($pid > 0);`)

export const namespaceAttacks: readonly Attack[] = [
  ...Object.entries(options).map(([name, option]): Attack => ({
    topic,
    name: `unshare the ${name} namespace`,
    script: succeeds(`unshare ${option} --fork true`),
    twin: weak,
  })),
  ...Object.entries(flags).map(([name, flag]): Attack => ({
    topic,
    name: `clone into a new ${name} namespace`,
    script: tryClone(`syscall(${clone}, ${flag | 17}, 0, 0, 0, 0)`),
    twin: weak,
  })),
  {
    topic,
    name: 'become root of a namespace of one’s own and mount',
    script: succeeds('unshare -Urm mount -t tmpfs none /tmp'),
    twin: weak,
  },
  {
    topic,
    name: 'clone with junk in the high bits of the flags',
    script: tryClone(`syscall(${clone}, ${flags.user | 17} | (0xdead << 32), 0, 0, 0, 0)`),
    twin: weak,
  },
  {
    topic,
    name: 'clone3 into a new user namespace',
    script: tryClone(
      `syscall(${refusedCall('clone3')}, my $args = pack('Q8', ${flags.user}, 0, 0, 0, 17, 0, 0, 0), 64)`,
    ),
    twin: bare,
  },
  {
    topic,
    name: 'allow oneself nested user namespaces',
    script: succeeds(
      'for file in /proc/sys/user/max_user_namespaces; do echo 1000 > "$file"; done; unshare -U true',
    ),
    twin: weak,
  },
  {
    topic,
    name: 'enter the namespace of another process',
    script: perl(`
for my $kind (qw(uts ipc net mnt user pid cgroup)) {
  for my $process ('1', 'self') {
    open(my $file, '<', "/proc/$process/ns/$kind") or next;
    verdict(1) if syscall(${refusedCall('setns')}, fileno $file, 0) == 0;
  }
}
verdict(0);
`),
    twin: weak,
  },
  {
    topic,
    name: 'enter the namespaces of the first process',
    script: succeeds('nsenter --uts="/proc/$TARGET/ns/uts" true'),
    env: () => ({ TARGET: '1' }),
    twin: { where: 'weak', env: () => ({ TARGET: 'self' }) },
  },
]
