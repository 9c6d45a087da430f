import { type Attack, bare, perl } from '../attack.ts'
import { survivors } from '../survivors.ts'

const topic = 'limits'

/** A process under a name by which it is found from outside. */
const sleeper = `bash -c 'exec -a "$MARK" sleep 30' </dev/null >/dev/null 2>&1`

/** The twin ends when there is something to find. */
const untilItRuns = 'while [ -n "$TWIN" ] && ! grep -qsa "^$MARK" /proc/[0-9]*/cmdline; do sleep 0.1; done'

const survives = (name: string, script: string, timeMs?: number): Attack => ({
  topic,
  name,
  script,
  after: ({ folder }) => survivors(folder) > 0,
  alone: timeMs === undefined ? {} : { timeMs },
  env: ({ folder }) => ({ MARK: folder, WAIT: '30' }),
  twin: { ...bare, env: ({ folder }) => ({ MARK: folder, WAIT: '0.3' }) },
})

export const leftBehindAttacks: readonly Attack[] = [
  survives('leave a process behind', `${sleeper} &\nsleep 0.2; ${untilItRuns}; echo CONTAINED`),
  survives(
    'leave a process behind in a session of its own',
    `setsid nohup ${sleeper} &\nsleep 0.2; ${untilItRuns}; echo CONTAINED`,
  ),
  survives(
    'leave a process behind by forking twice',
    `( setsid bash -c "${sleeper} & disown" & )\nsleep 0.3; ${untilItRuns}; echo CONTAINED`,
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
    `( trap '' TERM HUP INT; setsid nohup ${sleeper} & )\nsleep "$WAIT"; ${untilItRuns}; echo CONTAINED`,
    1000,
  ),
]
