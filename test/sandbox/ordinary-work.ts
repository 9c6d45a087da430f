import { otherCall } from './attack.ts'

/** What every sandbox must allow: one in which nothing works would contain every attack. */
export const ordinaryWork: Readonly<Record<string, string>> = {
  'write and read in the workspace': 'echo x > work && grep -q x work && mv work worked && rm worked',
  'work in git’s folder beside what is protected': 'mkdir .git/objects && echo x > .git/index',
  'read what is protected': 'cat .git/config .mcp.json .claude/settings.json .bashrc .zshrc',
  'read what is shared': 'grep -q library "$SHARED/library.txt"',
  'use the places for temporary files':
    'for place in /tmp /dev/shm "$HOME"; do echo x > "$place/x" || exit 1; done',
  'use devices': 'echo x > /dev/null && head -c 4 /dev/urandom | wc -c | grep -q 4',
  'look at itself': '[ "$PROC" = /proc ] && grep -q ^Name: "$PROC/self/status" && [ -n "$(id -u)" ]',
  'call the kernel': `perl -e 'exit(syscall(${otherCall(39, 172)}) != $$)'`,
  'start, signal and await processes': 'sleep 60 & kill -TERM $!; wait $!; [ $? = 143 ]',
  'be its own server': `perl -MIO::Socket::INET -e '
my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or exit 1;
my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $server->sockport) or exit 1;'`,
  'talk to a child by a pair of sockets': `perl -MSocket -e '
socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or exit 1;
syswrite($one, "x"); sysread($other, my $text, 1); exit($text ne "x");'`,
}
