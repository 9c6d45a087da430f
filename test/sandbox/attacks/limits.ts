import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { type Attack, bare, perl, succeeds } from '../attack.ts'

const topic = 'limits'
const megabyte = 1 << 20

/** It goes on for long, since others delete from the same disk meanwhile, and so hide what it writes. */
const fillDisk = (through: string, then: string): Attack => ({
  topic,
  name: `fill the disk through ${through}`,
  script: perl(`
my @held; my $piece = 'x' x (1 << 20);
for my $index (1 .. $ENV{FILES}) {
  open(my $file, '>', "fill-$index") or verdict(0);
  syswrite($file, $piece) or verdict(0);
  ${then}
  select(undef, undef, undef, $ENV{PAUSE});
}
verdict(1);`),
  alone: { diskBytes: 8 * megabyte },
  env: () => ({ FILES: '320', PAUSE: '0.25' }),
  twin: { ...bare, env: () => ({ FILES: '48', PAUSE: '0' }) },
})

/** `work` uses so many seconds of a processor. */
const compute = (how: string, program: string, seconds: string): Attack => ({
  topic,
  name: `compute without end ${how}`,
  script: perl(`
sub work { my ($seconds) = @_; do { for (1 .. 20_000) {} } while ((times)[0] + (times)[1] < $seconds) }
${program}`),
  alone: { cpuSeconds: 1 },
  env: () => ({ SECONDS_OF_WORK: seconds }),
  twin: { ...bare, env: () => ({ SECONDS_OF_WORK: '0.01' }) },
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
  fillDisk('many files', ''),
  fillDisk('files that have lost their names', 'unlink "fill-$index"; push @held, $file;'),
  {
    topic,
    name: 'make files without content and without end',
    script: perl(`
for my $index (1 .. $ENV{FILES}) {
  open(my $file, '>', "empty-$index") or verdict(0);
  select(undef, undef, undef, $ENV{PAUSE}) unless $index % 500;
}
verdict(1);`),
    alone: { diskFiles: 1000 },
    env: () => ({ FILES: '160000', PAUSE: '0.25' }),
    twin: { ...bare, env: () => ({ FILES: '2000', PAUSE: '0' }) },
  },
  ...(['1', '2'] as const).map((stream): Attack => ({
    topic,
    name: `write without end to ${stream === '1' ? 'standard output' : 'standard error'}`,
    script: `yes | head -c "$FLOOD" >&${stream} && touch flood-done`,
    after: ({ workspace }) => existsSync(join(workspace, 'flood-done')),
    alone: { outputBytes: 256 << 10 },
    env: () => ({ FLOOD: '4G' }),
    twin: { ...bare, env: () => ({ FLOOD: '512K' }) },
  })),
  compute('in one process', 'work($ENV{SECONDS_OF_WORK}); verdict(1);', '4'),
  compute(
    'in one process that does not listen to signals',
    '$SIG{XCPU} = "IGNORE"; work($ENV{SECONDS_OF_WORK}); verdict(1);',
    '4',
  ),
  compute(
    'in many processes, each below the limit',
    `
my @children;
for (1 .. 10) {
  my $child = fork; defined $child or verdict(0); push @children, $child;
  if ($child == 0) { work($ENV{SECONDS_OF_WORK}); POSIX::_exit(0) }
}
my $done = grep { waitpid($_, 0) == $_ && $? == 0 } @children;
verdict($done == 10);`,
    '0.6',
  ),
  compute(
    'in short processes, one after the other',
    `
for (1 .. 15) {
  my $child = fork; defined $child or verdict(0);
  if ($child == 0) { work($ENV{SECONDS_OF_WORK}); POSIX::_exit(0) }
  waitpid($child, 0); verdict(0) if $? != 0;
}
verdict(1);`,
    '0.4',
  ),
  compute(
    'in short processes that nobody waits for',
    `
$SIG{CHLD} = 'IGNORE';
for (1 .. 15) {
  pipe(my $read, my $write);
  my $child = fork; defined $child or verdict(0);
  if ($child == 0) { work($ENV{SECONDS_OF_WORK}); syswrite($write, 'x'); POSIX::_exit(0) }
  close $write; sysread($read, my $done, 1) or verdict(0);
}
verdict(1);`,
    '0.4',
  ),
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
