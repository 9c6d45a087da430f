import { type Attack, bare, perl, succeeds } from '../attack.ts'

const topic = 'network'

/** Success is the greeting of the server that the test opened. Inside nothing answers; outside it may take its time. */
const greeted = (connect: string): string =>
  perl(`${connect}
$SIG{ALRM} = sub { verdict(0) }; alarm($ENV{TWIN} ? 40 : 1);
defined(recv($socket, my $text, 100, 0)) or verdict(0);
verdict($text =~ /greetings from the outside/);`)

const tcp = (address: string, port: string): string =>
  greeted(`
socket(my $socket, AF_INET, SOCK_STREAM, 0) or verdict(0);
connect($socket, sockaddr_in(${port}, inet_aton(${address}))) or verdict(0);`)

const unix = (path: string): string =>
  greeted(`
socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or verdict(0);
# Some bind the name alone, some with all the zeros that follow it.
connect($socket, pack('S a*', AF_UNIX, ${path})) or connect($socket, pack('S a108', AF_UNIX, ${path})) or verdict(0);`)

export const networkAttacks: readonly Attack[] = [
  {
    topic,
    name: 'reach a TCP server of the machine on 127.0.0.1',
    script: tcp('"127.0.0.1"', '$ENV{TCP_PORT}'),
    twin: bare,
  },
  {
    topic,
    name: 'reach it with nothing but bash',
    script: succeeds(
      'timeout $([ -n "$TWIN" ] && echo 40 || echo 3) bash -c \'exec 9<>/dev/tcp/127.0.0.1/$TCP_PORT; IFS= read -r -u 9 line; [[ $line == greetings* ]]\'',
    ),
    twin: bare,
  },
  {
    topic,
    name: 'reach a TCP server of the machine on another loopback address',
    script: tcp('"127.0.0.2"', '$ENV{TCP_PORT}'),
    twin: bare,
  },
  {
    topic,
    name: 'reach a TCP server of the machine on ::1',
    script: greeted(`
socket(my $socket, AF_INET6, SOCK_STREAM, 0) or absent();
connect($socket, Socket::sockaddr_in6($ENV{TCP6_PORT} || absent(), Socket::inet_pton(AF_INET6, "::1"))) or verdict(0);`),
    twin: bare,
    mayBeAbsent: 'machines without IPv6',
  },
  {
    topic,
    name: 'reach the machine by an address others know it by',
    script: tcp('($ENV{HOST_ADDRESS} || absent())', '$ENV{HOST_PORT}'),
    twin: bare,
    mayBeAbsent: 'machines without a network',
  },
  {
    topic,
    name: 'reach a UDP server of the machine',
    script: greeted(`
socket(my $socket, AF_INET, SOCK_DGRAM, 0) or verdict(0);
send($socket, "hello", 0, sockaddr_in($ENV{UDP_PORT}, inet_aton("127.0.0.1"))) or verdict(0);`),
    twin: bare,
  },
  {
    topic,
    name: 'ask a name server',
    // A question for one address, as resolvers put it; our UDP server answers anything.
    script: greeted(`
socket(my $socket, AF_INET, SOCK_DGRAM, 0) or verdict(0);
my $question = pack("n6", 7, 0x0100, 1, 0, 0, 0) . "\\7example\\4test\\0" . pack("n2", 1, 1);
send($socket, $question, 0, sockaddr_in($ENV{UDP_PORT}, inet_aton("127.0.0.1"))) or verdict(0);`),
    twin: bare,
  },
  {
    topic,
    name: 'reach a Unix socket of the machine by its path',
    script: unix('$ENV{UNIX_SOCKET}'),
    twin: bare,
  },
  {
    topic,
    name: 'reach a Unix socket that lies in the workspace',
    script: unix('$ENV{WORKSPACE_SOCKET}'),
    openWithNetwork: 'the bridge is reached by a Unix socket, and the folders are the same on both sides',
    twin: bare,
  },
  {
    topic,
    name: 'reach a Unix socket of the machine without a path',
    script: unix('"\\0$ENV{ABSTRACT_SOCKET}"'),
    twin: bare,
  },
  {
    topic,
    name: 'see the interfaces of the machine',
    script:
      'if grep : /proc/net/dev | grep -qv "^ *lo:"; then echo ESCAPED; elif [ -n "$TWIN" ]; then echo ABSENT; else echo CONTAINED; fi',
    twin: bare,
    mayBeAbsent: 'machines without a network',
  },
  {
    topic,
    name: 'see which ports the machine listens on',
    script: succeeds('grep -q ":$(printf %04X "$TCP_PORT") " /proc/net/tcp'),
    twin: bare,
  },
  {
    topic,
    name: 'see the Unix sockets of the machine',
    script: succeeds('grep -q "$ABSTRACT_SOCKET" /proc/net/unix'),
    twin: bare,
  },
]
