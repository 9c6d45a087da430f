import { type Attack, bare, onlyRoot, perl, refusedCall, standIn, succeeds, weak } from '../attack.ts'

const topic = 'kernel files'

/** Opens every file below some folders for writing, and writes nothing. Pressure files may be opened by everyone. */
const openForWriting = (folders: string): string =>
  perl(`
use Fcntl;
my @folders = ${folders};
my $opened = 0;
while (defined(my $path = shift @folders)) {
  next if -l $path || $path =~ m{/pressure(/|$)};
  if (-d _) { opendir(my $list, $path) or next; push @folders, map {"$path/$_"} grep {!/^\\.\\.?$/} readdir $list }
  elsif (-f _ && sysopen(my $file, $path, O_WRONLY | O_NONBLOCK)) { print "$path\\n"; $opened++; verdict(1) if $opened > 3 }
}
verdict($opened);
`)

export const kernelFileAttacks: readonly Attack[] = [
  {
    topic,
    name: 'rewrite the handler of crashed processes (with its own value)',
    script: succeeds(
      'file="$PROC/sys/kernel/core_pattern"; now="$(cat "$file")" && printf %s "$now" > "$file"',
    ),
    twin: standIn,
  },
  {
    topic,
    name: 'open the trigger of emergency commands',
    script: succeeds('exec 9> "$PROC/sysrq-trigger"'),
    twin: standIn,
  },
  {
    topic,
    name: 'open any setting of the kernel for writing',
    script: openForWriting('("$ENV{PROC}/sys")'),
    twin: standIn,
  },
  {
    topic,
    name: 'open any other file of the kernel for writing',
    script: openForWriting('grep {!m{/(\\d+|self|thread-self|sys)$}} glob("$ENV{PROC}/*")'),
    twin: standIn,
  },
  {
    topic,
    name: 'give interrupts to another processor (open only)',
    script: succeeds(
      'for file in "$PROC"/irq/*/smp_affinity; do ( exec 9> "$file" ) && exit 0; done; exit 1',
    ),
    twin: standIn,
  },
  {
    topic,
    name: 'name a helper for new devices (open only)',
    script: succeeds('exec 9> "$SYS/kernel/uevent_helper"'),
    twin: standIn,
  },
  {
    topic,
    name: 'name a helper for empty cgroups (open only)',
    script: succeeds(
      'for file in "$SYS"/fs/cgroup/{,*/}release_agent; do ( exec 9> "$file" ) && exit 0; done; exit 1',
    ),
    twin: standIn,
  },
  {
    topic,
    name: 'find the devices and settings of the machine',
    script: succeeds('ls "$SYS" | grep -q .'),
    twin: standIn,
  },
  {
    topic,
    name: 'read the memory of the kernel',
    script: succeeds('head -c 1 "$PROC/kcore" | grep -q . || head -c 1 "$DEV/mem" | grep -q .'),
    twin: standIn,
  },
  {
    topic,
    name: 'change the mode of a device (to its own)',
    script: succeeds(
      'for node in null zero full random urandom tty; do node="$DEV/$node"; [ -e "$node" ] && chmod "$(stat -c %a "$node")" "$node" && exit 0; done; exit 1',
    ),
    twin: standIn,
  },
  {
    topic,
    name: 'change the owner of a device (to its own)',
    script: succeeds(
      'for node in null zero full random urandom tty; do node="$DEV/$node"; [ -e "$node" ] && chown "$(stat -c %u:%g "$node")" "$node" && exit 0; done; exit 1',
    ),
    twin: standIn,
  },
  {
    topic,
    name: 'remove a device',
    script: succeeds('rm -f "$DEV/null"'),
    twin: standIn,
  },
  {
    topic,
    name: 'make a device',
    script: succeeds('for place in "$WS" /tmp; do mknod "$place/device" c 1 3 && exit 0; done; exit 1'),
    twin: onlyRoot('the kernel lets only root of the machine make devices'),
  },
  {
    topic,
    name: 'make a device and read the disk or memory through it',
    script: succeeds(
      'for place in "$WS" /tmp; do mknod "$place/mem" c 1 1 && [ -c "$place/mem" ] && exit 0; done; exit 1',
    ),
    twin: onlyRoot('the kernel lets only root of the machine make devices'),
  },
  {
    topic,
    name: 'mount a file system',
    script: succeeds('mount -t tmpfs none /tmp'),
    twin: weak,
  },
  {
    topic,
    name: 'bind a folder over another',
    script: succeeds('mount --bind "$WS" "$SHARED"'),
    twin: weak,
  },
  {
    topic,
    name: 'mount the kernel’s own files anew',
    script: succeeds(
      'mkdir -p fresh; mount -t proc proc fresh || mount -t sysfs sysfs fresh || mount -t tmpfs x fresh',
    ),
    twin: weak,
  },
  {
    topic,
    name: 'take the mount off a protected folder',
    script: succeeds('umount "$SHARED" || umount -l "$SHARED"'),
    twin: { where: 'weak', options: ({ shared }) => ['--ro-bind', shared, shared] },
  },
  {
    topic,
    name: 'make a protected folder writable again',
    script: succeeds('mount -o remount,bind,rw "$SHARED" && echo x > "$SHARED/remounted"'),
    twin: { where: 'weak', options: ({ shared }) => ['--ro-bind', shared, shared] },
  },
  {
    topic,
    name: 'make a protected folder writable by mount_setattr',
    script: perl(`
my $attributes = pack('Q4', 0, 1, 0, 0);
verdict(syscall(${refusedCall('mount_setattr')}, -100, $ENV{SHARED}, 0, $attributes, length $attributes) == 0);
`),
    twin: { where: 'weak', options: ({ shared }) => ['--ro-bind', shared, shared] },
  },
  {
    topic,
    name: 'take a copy of a mount and open it elsewhere',
    script: perl(`verdict(syscall(${refusedCall('open_tree')}, -100, $ENV{WS}, 1) >= 0)`),
    twin: weak,
  },
  {
    topic,
    name: 'change the root folder',
    script: succeeds('chroot "$PWD" /nothing; [ $? = 127 ]'),
    twin: weak,
  },
  {
    topic,
    name: 'read the messages of the kernel',
    script: perl(`taken(1, syscall(${refusedCall('syslog')}, 10, 0, 0))`),
    twin: onlyRoot('most machines show their messages to root alone'),
  },
  {
    topic,
    name: 'spare oneself when memory runs out',
    script: succeeds('echo -1000 > "$PROC/self/oom_score_adj"'),
    twin: standIn,
  },
  {
    topic,
    name: 'write the map of users',
    script: succeeds('echo "0 0 1" > "$PROC/self/uid_map"'),
    twin: standIn,
  },
  {
    topic,
    name: 'leave a terminal for others to type into',
    script: succeeds('exec 9<> "$TERMINAL"'),
    env: () => ({ TERMINAL: '/dev/tty' }),
    twin: { ...bare, env: () => ({ TERMINAL: '/dev/ptmx' }) },
  },
]
