import { type Attack, bare, otherCall, perl, succeeds } from '../attack.ts'

const topic = 'processes'

export const processAttacks: readonly Attack[] = [
  {
    topic,
    name: 'see a process of the machine',
    script: succeeds('[ -d "/proc/$VICTIM" ]'),
    twin: bare,
  },
  {
    topic,
    name: 'see more processes than one’s own',
    script: succeeds('cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -q "${VICTIM_NAME%m}[m]"'),
    twin: bare,
  },
  {
    topic,
    name: 'signal a process of the machine',
    script: succeeds('kill -0 "$VICTIM"'),
    twin: bare,
  },
  {
    topic,
    name: 'end a process of the machine',
    script: succeeds('kill -KILL "$MORTAL"'),
    twin: bare,
  },
  {
    topic,
    name: 'end the first process of the sandbox',
    // Outside it ends, be it late.
    script: `kill -KILL "$FIRST" 2>/dev/null; sleep 0.2
lives() { grep -q '^State:.[^ZX]' "/proc/$FIRST/status"; }
while [ -n "$TWIN" ] && lives; do sleep 0.1; done
if lives; then echo CONTAINED; else echo ESCAPED; fi`,
    env: () => ({ FIRST: '1' }),
    alone: {},
    twin: bare,
  },
  {
    topic,
    name: 'read shared memory of the machine (System V)',
    script: perl(`
my $segment = shmget($ENV{SHM_KEY}, 0, 0);
defined $segment or verdict(0);
shmread($segment, my $text, 0, 21) or verdict(0);
verdict($text eq 'secret-of-the-outside');`),
    twin: bare,
  },
  {
    topic,
    name: 'read shared memory of the machine (POSIX)',
    script: succeeds('grep -q . "/dev/shm/$SHM_NAME"'),
    twin: bare,
  },
  {
    topic,
    name: 'open a message queue of the machine',
    script: perl(`taken(2, syscall(${otherCall(240, 180)}, $ENV{QUEUE}, 0, 0, 0));`),
    twin: bare,
    mayBeAbsent: 'kernels can be built without it',
  },
  {
    topic,
    name: 'open a descriptor for a process of the machine',
    script: perl(`verdict(syscall(${otherCall(434, 434)}, $ENV{VICTIM} + 0, 0) >= 0);`),
    twin: bare,
  },
  {
    topic,
    name: 'change the limits of a process of the machine',
    script: succeeds('prlimit --pid "$VICTIM" --core=0:0'),
    twin: bare,
  },
  {
    topic,
    name: 'change the priority of processes of the machine',
    script: succeeds('renice -n 19 -p "$VICTIM"'),
    twin: bare,
  },
]
