import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { type Attack, bare, otherCall, perl, succeeds } from '../attack.ts'
import { survivors } from '../survivors.ts'

const topic = 'limits'
const megabyte = 1 << 20

/** Held until whoever watches now and then has looked; the twin need not wait. */
const held = { env: () => ({ HOLD: '15' }), twin: { ...bare, env: () => ({ HOLD: '0' }) } }

/** Writes more than the memory that is allowed, in files each within its limit. */
const fill = (place: string): Attack => ({
  topic,
  name: `fill memory through files in ${place}`,
  script: perl(`
my $piece = 'x' x (1 << 20); my $written = 0;
for my $index (1 .. 10) {
  open(my $file, '>', "$ENV{PLACE}/battery-fill-$index") or last;
  for (1 .. 16) { (syswrite($file, $piece) // 0) == length $piece or last; $written++ }
}
print "wrote $written MB\\n";
verdict($written > 96);`),
  alone: { memoryBytes: 96 * megabyte },
  env: () => ({ PLACE: place }),
  twin: { ...bare, env: ({ folder }) => ({ PLACE: folder }) },
})

/** A process under a name by which it is found from outside. */
const sleeper = `bash -c 'exec -a "$MARK" sleep 30' </dev/null >/dev/null 2>&1`

const survives = (name: string, script: string, timeMs?: number): Attack => ({
  topic,
  name,
  script,
  after: ({ folder }) => survivors(folder) > 0,
  alone: timeMs === undefined ? {} : { timeMs },
  env: ({ folder }) => ({ MARK: folder, WAIT: '30' }),
  twin: { ...bare, env: ({ folder }) => ({ MARK: folder, WAIT: '0.3' }) },
})

export const limitAttacks: readonly Attack[] = [
  {
    topic,
    name: 'start processes without end (300)',
    script: perl(`
my @children;
for (1 .. 300) {
  my $child = fork; last unless defined $child;
  if ($child == 0) { sleep 20; POSIX::_exit(0) }
  push @children, $child;
}
print scalar(@children), " children\\n";
kill 'KILL', @children;
verdict(@children > 60);`),
    alone: { processes: 40 },
    twin: bare,
  },
  {
    topic,
    name: 'start processes from processes (a fork bomb, 256)',
    script: perl(`
pipe(my $read, my $write);
for (1 .. 8) { my $child = fork; defined $child or last; }
syswrite($write, 'x');
if ($$ != $ENV{BOMB_PID}) { sleep 3; POSIX::_exit(0) }
close $write;
my $alive = 0;
while (sysread($read, my $more, 1000)) { $alive += length $more; verdict(1) if $alive > 60 }
verdict(0);`).replace('perl -', () => 'exec env BOMB_PID=$$ perl -'),
    alone: { processes: 40 },
    twin: bare,
  },
  {
    topic,
    name: 'use too much memory in one process',
    script: perl(
      'my $size = 256 << 20; my $memory = "x"; $memory x= $size; verdict(length($memory) == $size);',
    ),
    alone: { memoryBytes: 96 * megabyte },
    twin: bare,
  },
  {
    topic,
    name: 'use too much memory in many processes',
    script: perl(`
pipe(my $read, my $write);
my $size = 40 << 20;
my @children;
for (1 .. 6) {
  my $child = fork; defined $child or verdict(0); push @children, $child;
  if ($child == 0) { my $memory = "x"; $memory x= $size; syswrite($write, 'x'); sleep 60; POSIX::_exit(0) }
}
close $write;
for (1 .. 6) { sysread($read, my $one, 1) or verdict(0) }
sleep $ENV{HOLD};
my $alive = grep { waitpid($_, POSIX::WNOHANG()) == 0 } @children;
kill 'KILL', @children;
verdict($alive == 6);`),
    alone: { memoryBytes: 96 * megabyte },
    ...held,
  },
  {
    topic,
    name: 'use too much shared memory without a name',
    script: perl(`
my $size = 256 << 20;
my $address = syscall(${otherCall(9, 222)}, 0, $size, 3, 0x21, -1, 0);
verdict(0) if $address == -1;
open(my $zero, '<', '/dev/zero');
# Reading into it makes every page real.
verdict(0) if syscall(${otherCall(0, 63)}, fileno $zero, $address, $size) != $size;
sleep $ENV{HOLD};
verdict(1);`),
    alone: { memoryBytes: 96 * megabyte },
    ...held,
  },
  {
    topic,
    name: 'use too much shared memory that no process holds (System V)',
    script: perl(`
my $piece = 'x' x (32 << 20); my @segments; my $filled = 0;
for (1 .. 6) {
  my $segment = shmget(0, length $piece, 0600); defined $segment or last; push @segments, $segment;
  shmwrite($segment, $piece, 0, length $piece) or last; $filled++;
}
sleep $ENV{HOLD} if $filled == 6;
shmctl($_, 0, 0) for @segments;
verdict($filled == 6);`),
    alone: { memoryBytes: 96 * megabyte },
    ...held,
  },
  ...['/tmp', '/dev/shm', '/', '/dev', '/run', '/etc'].map(fill),
  {
    topic,
    name: 'fill every place in memory together',
    script: perl(`
my $piece = 'x' x (1 << 20); my $written = 0;
for my $place (split ' ', $ENV{PLACES}) {
  for my $index (1 .. 10) {
    open(my $file, '>', "$place/battery-together-$index") or last;
    for (1 .. 16) { (syswrite($file, $piece) // 0) == length $piece or last; $written++ }
  }
}
print "wrote $written MB\\n";
verdict($written > 96);`),
    alone: { memoryBytes: 96 * megabyte },
    env: () => ({ PLACES: '/tmp /dev/shm /run /var/tmp /' }),
    twin: { ...bare, env: ({ folder }) => ({ PLACES: folder }) },
  },
  {
    topic,
    name: 'write a huge file',
    script: succeeds('head -c 24M /dev/zero > huge && [ "$(stat -c %s huge)" = 25165824 ]'),
    after: ({ workspace }) => sizeOf(join(workspace, 'huge')) > 8 * megabyte,
    alone: { fileBytes: 8 * megabyte },
    twin: bare,
  },
  {
    topic,
    name: 'make a huge file without writing it',
    script: succeeds('truncate -s 24M sparse'),
    after: ({ workspace }) => sizeOf(join(workspace, 'sparse')) > 8 * megabyte,
    alone: { fileBytes: 8 * megabyte },
    twin: bare,
  },
  {
    topic,
    name: 'fill the disk through many files',
    script: perl(`
my $piece = 'x' x (1 << 20);
for my $index (1 .. 48) {
  open(my $file, '>', "fill-$index") or verdict(0);
  syswrite($file, $piece) or verdict(0);
  select(undef, undef, undef, $ENV{HOLD} / 48);
}
verdict(1);`),
    alone: { diskBytes: 8 * megabyte },
    ...held,
  },
  ...(['1', '2'] as const).map((stream): Attack => ({
    topic,
    name: `write without end to ${stream === '1' ? 'standard output' : 'standard error'} (8 MB)`,
    script: `yes | head -c 8M >&${stream} && touch flood-done\n`,
    after: ({ workspace }) => existsSync(join(workspace, 'flood-done')),
    alone: { outputBytes: 256 << 10 },
    twin: bare,
  })),
  {
    topic,
    name: 'compute without end in one process',
    script: perl('while ((times)[0] < $ENV{SECONDS_OF_WORK}) {} verdict(1);'),
    alone: { cpuSeconds: 1 },
    env: () => ({ SECONDS_OF_WORK: '6' }),
    twin: { ...bare, env: () => ({ SECONDS_OF_WORK: '0.1' }) },
  },
  {
    topic,
    name: 'compute without end in one process that does not listen to signals',
    script: perl('$SIG{XCPU} = "IGNORE"; while ((times)[0] < $ENV{SECONDS_OF_WORK}) {} verdict(1);'),
    alone: { cpuSeconds: 1 },
    env: () => ({ SECONDS_OF_WORK: '6' }),
    twin: { ...bare, env: () => ({ SECONDS_OF_WORK: '0.1' }) },
  },
  {
    topic,
    name: 'compute in many processes, each below the limit',
    script: perl(`
my @children;
for (1 .. 10) {
  my $child = fork; defined $child or verdict(0); push @children, $child;
  if ($child == 0) { while ((times)[0] < $ENV{SECONDS_OF_WORK}) {} POSIX::_exit(0) }
}
my $done = grep { waitpid($_, 0) == $_ && $? == 0 } @children;
verdict($done == 10);`),
    alone: { cpuSeconds: 2 },
    env: () => ({ SECONDS_OF_WORK: '0.9' }),
    twin: { ...bare, env: () => ({ SECONDS_OF_WORK: '0.01' }) },
  },
  {
    topic,
    name: 'compute in short processes, one after the other',
    script: perl(`
for (1 .. 20) {
  my $child = fork; defined $child or verdict(0);
  if ($child == 0) { while ((times)[0] < $ENV{SECONDS_OF_WORK}) {} POSIX::_exit(0) }
  waitpid($child, 0); verdict(0) if $? != 0;
}
verdict(1);`),
    alone: { cpuSeconds: 2 },
    env: () => ({ SECONDS_OF_WORK: '0.4' }),
    twin: { ...bare, env: () => ({ SECONDS_OF_WORK: '0.01' }) },
  },
  {
    topic,
    name: 'sleep without end',
    script: 'sleep "$WAIT"; echo ESCAPED',
    alone: { timeMs: 1000 },
    env: () => ({ WAIT: '60' }),
    twin: { ...bare, env: () => ({ WAIT: '0.1' }) },
  },
  {
    topic,
    name: 'sleep without end, deaf to signals, stopped, in a session of one’s own',
    script: `trap '' TERM INT HUP QUIT XCPU; setsid nohup bash -c 'kill -STOP $$' & sleep "$WAIT"; kill -KILL $!; echo ESCAPED`,
    alone: { timeMs: 1000 },
    env: () => ({ WAIT: '60' }),
    twin: { ...bare, env: () => ({ WAIT: '0.3' }) },
  },
  survives('leave a process behind', `${sleeper} &\nsleep 0.2; echo CONTAINED`),
  survives(
    'leave a process behind in a session of its own',
    `setsid nohup ${sleeper} &\nsleep 0.2; echo CONTAINED`,
  ),
  survives(
    'leave a process behind by forking twice',
    `( setsid bash -c "${sleeper} & disown" & )\nsleep 0.3; echo CONTAINED`,
  ),
  survives(
    'leave many processes behind that take a while to end',
    perl(`
pipe(my $read, my $write);
for (1 .. 40) {
  my $child = fork; defined $child or last; next if $child;
  POSIX::setsid(); $0 = $ENV{MARK}; my $size = 6 << 20; my $memory = 'x'; $memory x= $size;
  open(STDOUT, '>', '/dev/null'); open(STDERR, '>', '/dev/null'); syswrite($write, 'x'); sleep 30; POSIX::_exit(0);
}
close $write; sysread($read, my $one, 1) for 1 .. 40;
verdict(0);`),
  ),
  survives(
    'leave a process behind at the limit',
    `( trap '' TERM HUP INT; setsid nohup ${sleeper} & )\nsleep "$WAIT"; echo CONTAINED`,
    1000,
  ),
  {
    topic,
    name: 'open files without end',
    script: perl(`
my @held; for (1 .. 5000) { open(my $file, '<', '/dev/null') or last; push @held, $file }
print scalar(@held), " files\\n"; verdict(@held > 4500);`).replace(
      'perl -',
      'ulimit -n "$(ulimit -Hn)"; [ "$(ulimit -n)" = unlimited ] || [ -z "$TWIN" ] || [ "$(ulimit -n)" -gt 5000 ] || { echo ABSENT; exit; }; perl -',
    ),
    alone: {},
    twin: bare,
    mayBeAbsent: 'machines can hold everyone to fewer files',
  },
  {
    topic,
    name: 'leave an image of memory when crashing',
    script:
      'ulimit -c unlimited 2>/dev/null; if [ "$(ulimit -c)" = 0 ]; then echo CONTAINED; elif [ -n "$TWIN" ] && [ "$(ulimit -Hc)" = 0 ]; then echo ABSENT; else echo ESCAPED; fi',
    twin: bare,
    mayBeAbsent: 'machines can forbid it to everyone',
  },
]

function sizeOf(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  rmSync(path, { force: true })
  return size
}
