import { type Attack, bare, held, otherCall, perl, refusedCall } from '../attack.ts'

const topic = 'limits'
const megabyte = 1 << 20

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

export const memoryAttacks: readonly Attack[] = [
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
  {
    topic,
    name: 'hide memory in a file without a name',
    script: perl(`
# 256 MB that no process shows as its own, in files small enough for the limit.
my @held; my $piece = 'x' x (1 << 20);
for my $index (1 .. 8) {
  my $file = call(${refusedCall('memfd_create')}, "battery", 0);
  verdict(0) if $file == -1;
  open(my $handle, '>&=', $file) or verdict(0); push @held, $handle;
  for (1 .. 32) { (syswrite($handle, $piece) // 0) == length $piece or verdict(0) }
}
sleep $ENV{HOLD}; verdict(1);
`),
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
]
