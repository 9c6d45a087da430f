import { type Attack, bare, onlyRoot, perl, standIn, succeeds } from '../attack.ts'

const topic = 'privileges'

export const privilegeAttacks: readonly Attack[] = [
  ...['CapEff', 'CapPrm', 'CapBnd', 'CapInh', 'CapAmb'].map((set): Attack => ({
    topic,
    name: `have a capability in the set ${set}`,
    script: succeeds(`grep -Eq '^${set}:[[:space:]]+0*[1-9a-f]' "$PROC/self/status"`),
    twin: standIn,
  })),
  {
    topic,
    name: 'be allowed new privileges',
    script: succeeds('grep -q "^NoNewPrivs:.*0" "$PROC/self/status"'),
    twin: standIn,
  },
  {
    topic,
    name: 'run without a filter of system calls',
    script: succeeds('! grep -q "^Seccomp:.*2" "$PROC/self/status"'),
    twin: standIn,
  },
  {
    topic,
    name: 'become the owner of a set-user-id program',
    script:
      '[ -u "$OTHER_USERS_ID" ] || { echo ABSENT; exit; }\n' +
      succeeds('[ "$("$OTHER_USERS_ID" -u)" != "$(id -u)" ]'),
    twin: bare,
    mayBeAbsent: 'only root can make such a program, on a disk that allows it',
  },
  {
    topic,
    name: 'become another user',
    script: perl('POSIX::setuid(61235); verdict($< == 61235 || $> == 61235);'),
    twin: onlyRoot('only root may become another user'),
  },
  {
    topic,
    name: 'leave the groups one is in',
    script: perl('$! = 0; $) = "$( 61235"; verdict($) =~ /61235/);'),
    twin: onlyRoot('only root may choose its groups'),
  },
  {
    topic,
    name: 'give a file to another user',
    script: succeeds('echo x > gift; chown 61235 gift'),
    twin: onlyRoot('only root may give files away'),
  },
  {
    topic,
    name: 'raise a hard limit',
    script: succeeds('ulimit -Hn 512 && ulimit -Hn 600 || ulimit -Hc unlimited'),
    twin: onlyRoot('only root may raise a hard limit'),
  },
  {
    topic,
    name: 'run before everyone else',
    script: succeeds('nice -n -5 true && [ "$(nice -n -5 nice)" -lt 0 ]'),
    twin: onlyRoot('only root may do that'),
  },
  {
    topic,
    name: 'run in real time',
    script: succeeds('chrt -f 1 true'),
    twin: onlyRoot('only root may do that, and a cgroup can keep it from root'),
    mayBeAbsent: 'a cgroup can keep it from root',
  },
  {
    topic,
    name: 'read or write past permissions',
    script: succeeds('echo x > closed; chmod 000 closed; cat closed && echo x >> closed'),
    // Without capabilities, even root of the machine is bound by the modes of its own files.
    twin: onlyRoot('only root passes permissions'),
  },
]
