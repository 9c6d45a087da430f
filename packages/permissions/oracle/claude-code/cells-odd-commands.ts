/** Commands in unusual forms, and whether rules still match them. */

import { runs, type Scene } from './scene.ts'

/** Pipelines, and commands with relevant leading or trailing text. */
export const listed = (text: string, ...more: string[]): readonly string[] => [
  ...text.trim().split(/ ¦\s+/),
  ...more,
]

const settings = (permissions: Record<string, string[]>): Scene['files'] => ({
  'home/.claude/settings.json': { permissions },
})

const odd = listed(
  `
  to''uch b1 ¦ to"u"ch b1 ¦ t\\ouch b1 ¦ \\touch b1 ¦ 'touch' b1 ¦ $'touch' b1 ¦ $"touch" b1 ¦
  $'\\x74ouch' b1 ¦ $'to'uch b1 ¦ "touch" b1 ¦ touch\tb1 ¦ touch  b1 ¦ touch\\\n b1 ¦ tou\\\nch b1 ¦
  true\ntouch b1 ¦ true\u000d\ntouch b1 ¦ true;touch b1 ¦ true||touch b1 ¦ true|&touch b1 ¦
  true & touch b1 ¦ { touch b1; } ¦ f() { touch b1; }; f ¦ function f { touch b1; }; f ¦
  for i in 1; do touch b1; done ¦ while false; do touch b1; done ¦ until true; do touch b1; done ¦
  case x in x) touch b1;; esac ¦ if touch b1; then true; fi ¦
  select x in a; do touch b1; break; done < /dev/null ¦ coproc touch b1 ¦ time touch b1 ¦ time -p touch b1 ¦
  exec touch b1 ¦ eval touch b1 ¦ eval "touch b1" ¦ . /dev/stdin <<< "touch b1" ¦ source <(echo touch b1) ¦
  bash <<< "touch b1" ¦ bash <<EOF\ntouch b1\nEOF ¦ bash <<'EOF'\ntouch b1\nEOF ¦
  cat <<'EOF'\ntouch b1\nEOF ¦ cat <<'EOF' && touch b1\nx\nEOF ¦ cat <<'EOF'\nx\nEOF\ntouch b1 ¦
  cat <<-'EOF'\n\tx\n\tEOF\ntouch b1 ¦ cat <<'E' <<'F'\nx\nE\ny\nF\ntouch b1 ¦
  cat <<"EOF"\n  EOF\ntouch b1\nEOF ¦ sh -c "touch b1" ¦ sh -ec "touch b1" ¦
  python3 -c "import os; os.system('touch b1')" ¦ busybox touch b1 ¦ env -i touch b1 ¦ env X=1 touch b1 ¦
  env -u X touch b1 ¦ env -- touch b1 ¦ env -S "touch b1" ¦ env --split-string="touch b1" ¦
  A=1 B=2 touch b1 ¦ A+=1 touch b1 ¦ A[0]=1 touch b1 ¦ A=$(touch b1) ¦ A=touch; $A b1 ¦ A="touch b1"; $A ¦
  \${A:-touch} b1 ¦ "\${A:-touch}" b1 ¦ $(echo touch) b1 ¦ \`echo touch\` b1 ¦ $(touch b1) ¦
  echo "$(touch b1)" ¦ echo "\`touch b1\`" ¦ echo '$(touch b1)' ¦ echo "\\$(touch b1)" ¦ echo <(touch b1) ¦
  echo >(touch b1) ¦ echo $((1+1)); touch b1 ¦ echo $(( $(touch b1) + 1 )) ¦ echo \${X:-$(touch b1)} ¦
  echo \${X:=\`touch b1\`} ¦ ((x=1)); touch b1 ¦ [[ -f $(touch b1) ]] ¦ [[ a == b ]] || touch b1 ¦
  test -f x || touch b1 ¦ > b2 touch b1 ¦ 2>/dev/null touch b1 ¦ >/dev/null touch b1 ¦ </dev/null touch b1 ¦
  touch>/dev/null b1 ¦ touch b1 2>&1 >/dev/null ¦ touch b1 &>/dev/null ¦ touch b1 >&2 ¦
  touch b1 2>/dev/null 1>&2 ¦ {touch,b1} ¦ touch b{1,2} ¦ touch b1 b[1] ¦ /usr/bin/touch b1 ¦
  /usr/../usr/bin/touch b1 ¦ //usr/bin/touch b1 ¦ /usr/bin/./touch b1 ¦ ../../../../../usr/bin/touch b1 ¦
  /usr/bin/t?uch b1 ¦ /usr/bin/t*ch b1 ¦ /*/bin/touch b1 ¦ ~/touch b1 ¦ TOUCH b1 ¦ Touch b1 ¦
  touch b1 #; true ¦ touch b1#x ¦ true # touch b1 ¦ true # x\ntouch b1 ¦ timeout -s KILL 5 touch b1 ¦
  timeout --signal=KILL 5 touch b1 ¦ timeout -k 1 5 touch b1 ¦ timeout --foreground 5 touch b1 ¦
  timeout 5s touch b1 ¦ timeout -v 5 touch b1 ¦ nice -n 5 touch b1 ¦ nice -5 touch b1 ¦
  nice --adjustment=5 touch b1 ¦ nohup nice touch b1 ¦ stdbuf -oL touch b1 ¦ stdbuf -o L touch b1 ¦
  setsid touch b1 ¦ ionice touch b1 ¦ ionice -c 3 touch b1 ¦ chroot / touch b1 ¦ flock l1 touch b1 ¦
  strace touch b1 ¦ script -c "touch b1" ¦ parallel touch ::: b1 ¦ echo b1 | xargs touch ¦
  echo b1 | xargs -n1 touch ¦ echo b1 | xargs -n 1 touch ¦ echo b1 | xargs -I{} touch {} ¦
  echo b1 | xargs -I {} touch {} ¦ echo b1 | xargs --max-args=1 touch ¦ echo b1 | xargs -0 -P 2 touch ¦
  echo "touch b1" | sh ¦ echo "touch b1" | bash -s ¦ find . -maxdepth 0 -exec touch b1 ; ¦
  find . -maxdepth 0 -exec touch b1 \\; ¦ command -p touch b1 ¦ command -v touch ¦ command -- touch b1 ¦
  builtin touch b1 ¦ builtin command touch b1 ¦ command command touch b1 ¦ exec -a x touch b1 ¦
  sudo -u root touch b1 ¦ sudo -n touch b1 ¦ sudo X=1 touch b1 ¦ sudo -- touch b1 ¦ doas touch b1 ¦
  alias t=touch; t b1 ¦ trap "touch b1" EXIT ¦ touch -- b1 ¦ touch "b1 ¦ touch 'b1 ¦ touch b1 && ¦
  touch b1;; ¦ touch b1 | ¦ touch (b1) ¦ touch \`b1 ¦ touch \u00a0b1 ¦ touch\u00a0b1 ¦ touch\u2028b1 ¦
  true\u2028touch b1 ¦ true\u0085touch b1 ¦ true\u000btouch b1 ¦ true\u000ctouch b1 ¦ touch\u000bb1 ¦
  to\u200buch b1 ¦ \u202etouch b1 ¦ true\u000dtouch b1 ¦ touch b1\u0000x ¦ cd sub && touch b1 ¦
  cd sub; touch b1 ¦ pushd sub && touch b1 ¦ cd /tmp && touch b1 ¦ cd .. && touch b1 ¦ touch ../b1 ¦
  touch sub/../../b1 ¦ touch ./b1 ¦ touch ~/b1 ¦ touch ~root/b1 ¦ touch $HOME/b1 ¦ touch "$HOME/b1" ¦
  touch \${HOME}/b1 ¦ touch $PWD/b1 ¦ touch $OLDPWD/b1 ¦ touch /dev/null ¦ touch * ¦ touch ?1 ¦
  touch .git/b1 ¦ touch .claude/b1 ¦ touch .CLAUDE/b1 ¦ touch "-r" b1 ¦ ! touch b1 ¦ ! ! touch b1 ¦
  not touch b1 ¦ -touch b1 ¦ @touch b1 ¦ %touch b1 ¦ =touch b1 ¦ if true\nthen touch b1\nfi ¦
  for ((i=0;i<1;i++)); do touch b1; done ¦ for i in $(touch b1); do true; done ¦
  for i in b1; do touch $i; done ¦ let x=1; touch b1 ¦ declare x=1; touch b1 ¦ export X=1; touch b1 ¦
  export X=1 && touch b1 ¦ set -e; touch b1 ¦ unset X; touch b1 ¦ wait; touch b1 ¦ jobs; touch b1 ¦
  read x; touch b1 ¦ printf x | touch b1 ¦ printf -v x y; touch b1 ¦
  echo x | while read y; do touch b1; done ¦ (touch b1) ¦ ((touch b1)) ¦ ( ( touch b1 ) ) ¦
  true && (touch b1) ¦ (cd sub; touch b1)
`,
  '  touch b1  ',
  '\ufefftouch b1',
)

const files = { 'project/sub/c.txt': 'c', 'project/a.txt': 'a' }

export const oddCommandScenes: readonly Scene[] = [
  { name: 'odd commands, a program denied', permissions: { allow: ['Bash'], deny: ['Bash(touch:*)'] } },
  { name: 'odd commands, one denied', permissions: { allow: ['Bash'], deny: ['Bash(touch b1)'] } },
  { name: 'odd commands, a program allowed', permissions: { allow: ['Bash(touch:*)'] } },
  { name: 'odd commands without a rule', permissions: {} },
].map(({ name, permissions }) => ({
  name,
  files: { ...files, ...settings(permissions as Record<string, string[]>) },
  probes: odd.map((command) => runs(command)),
  undocumented: 'how a command is taken apart',
}))
