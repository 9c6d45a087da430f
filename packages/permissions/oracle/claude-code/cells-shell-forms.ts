/** Commands that the client cannot check before they run: in its sandbox, and with allow rules. */

import { listed } from './cells-odd-commands.ts'
import { runs, type Scene } from './scene.ts'

/** `ls` comes first: before the first command, the client also asks about variable assignments. */
const forms = listed(
  `
  ls ¦ a=1; touch b1 ¦ x=$(ls); touch b1 ¦ x=$(ls); touch "$x" ¦ x=$y; touch b1 ¦ x=a$(ls); touch b1 ¦
  x='a b'; touch $x ¦ x='a b'; touch "$x" ¦ PATH=/tmp; ls ¦ HOME=x; ls ¦ NODE_OPTIONS=x; ls ¦ x[0]=1 ¦
  for PATH in x; do ls; done ¦ for A in x; do ls; done ¦ export IFS=x ¦ export A ¦ export -x ¦ export -n A ¦
  declare -i A ¦ declare -r A ¦ unset a[0] ¦ unset a ¦ read a[0] ¦ printf -v 'a[0]' x ¦ printf -v a x ¦
  [ a -eq 1 ] ¦ [ 1 -eq 1 ] ¦ test -v 'a[0]' ¦ test a = b ¦ test a == b ¦ [ a = b ] ¦ [ x ¦ '' ls ¦
  bind ¦ complete ¦ compgen ¦ compgen -F x ¦ fc -s ¦ fc -l ¦ jobs -x ls ¦ jobs -l ¦ nocorrect ls ¦ /bin/eval ls ¦
  strace ls ¦ /usr/bin/strace ls ¦ timeout 5 strace ls ¦ xargs strace ls ¦ flock l1 ls ¦ watch ls ¦ prlimit ls ¦
  shopt ¦ setopt x ¦ zmodload ¦ zf_rm x ¦ zf_ls ¦ print x ¦ functions ¦ whence ls ¦
  env -i ls ¦ env -u A ls ¦ env -v ls ¦ env -uA ls ¦ env -S ls ¦ env -- ls ¦ env --unset=A ls ¦ /usr/bin/env -S ls ¦
  awk '{print}' a.txt ¦ awk 'BEGIN{system("ls")}' ¦ awk '{ systematic() }' a.txt ¦ awk '{print | "sort"}' a.txt ¦
  awk '{print "a|b"}' a.txt ¦ awk '{print $1 | x}' a.txt ¦ awk '$1 || "x"' a.txt ¦ awk -F'|' '{print $2}' a.txt ¦
  awk '@load "x"' a.txt ¦ awk '/@x/' a.txt ¦ awk -f x a.txt ¦ awk -nf x ¦ awk -F, '{print}' a.txt ¦ awk -b '{print}' a.txt ¦
  gawk 'BEGIN{system("ls")}' ¦ xargs awk 'BEGIN{system("ls")}' ¦
  find . -name *.ts ¦ find . -name '*.ts' ¦ find . -files0-from a.txt ¦ find . -name -exec ¦ find . -name "a$x" ¦
  /usr/bin/find . -delete ¦ xargs find . ¦
  jq -rf x a.txt ¦ jq --rawfile x a.txt . ¦ jq '.include' a.txt ¦ jq . a.txt ¦
  echo ~root ¦ ls ~root ¦ ls '~x' ¦ touch ~+/x ¦ A=~/x; ls ¦ echo a:~root ¦
  cat <<\\EOF\nx\nEOF ¦ cat <<E\\OF\nx\nEOF ¦ cat <<EOF\nx\nEOF ¦ cat <<EOF\n$x\nEOF ¦ cat <<'EOF' | cat\nx\nEOF ¦
  cat <<'EOF' && ls\nx\nEOF ¦ cat <<'A' <<'B'\nx\nA\ny\nB ¦ touch $(cat <<'EOF'\nx\nEOF\n) ¦
  git commit -m "$(cat <<'EOF'\nx\n# y\nEOF\n)" ¦ git commit -m "$(cat <<EOF\nx\nEOF\n)" ¦
  git commit -m "$(sort <<'EOF'\nx\nEOF\n)" ¦ git commit -m "a\n# b" ¦ echo 'a\n# b' ¦
  echo $'a' ¦ echo $"a" ¦ echo $[1+1] ¦ echo $ ¦ echo "$" ¦ touch '$x' ¦ cat '$x' ¦ foo '$x' ¦ touch {a ¦ cat 'a}' ¦
  touch '*' ¦ cat '*' ¦ foo -d'{a,b}' ¦ foo -d '{a,b}' ¦ foo {a,b ¦ echo x >&- ¦ echo x <> out1 ¦
  echo x > /dev/tcp/127.0.0.1/9 ¦ cat /proc/self/environ ¦ echo /proc/1/environ ¦ echo /proc/environ ¦
  echo =ls ¦ echo 'a =b' ¦ echo a=b ¦ && ls ¦ | ls ¦ ls && ¦ ls \u200b ¦ "touch b1" ¦
  (ls) ¦ (ls; touch b1) ¦ (ls && touch b1) ¦ time (ls) ¦ ( ls ) > out1 ¦ ((1)) ¦ for ((;;)); do break; done ¦
  for i in {1..3}; do ls; done ¦ while false; do ls; done < a.txt ¦ while false; do ls; done ¦ x=(1 2) ¦
  if ls; then echo $x; fi ¦ if ls; then echo x; fi ¦ if ls; then ls; fi; echo $x ¦ echo $(if ls; then echo $x; fi) ¦
  for i in $x; do ls; done ¦ for i in $(ls); do ls; done ¦ if ls; then touch {a,b}; fi ¦
  echo \${x} ¦ echo \${!x} ¦ echo \${x:-$(ls)} ¦ timeout $x ls ¦ timeout 5 ls $x ¦ nice -n $x ls ¦ env $x ls ¦
  awk '{print}' $x ¦ unset $x ¦ test $x ¦ test $x -eq 1 ¦
  foo a=b ¦ foo CI=1 ¦ foo --x=a=b ¦ foo -- -a=b ¦ foo 'a b=c' ¦ git -c a.b=c status ¦ make CC=x ¦ export A=1 ¦
  export CI=1 ¦ dd if=a.txt ¦ dd foo=1 ¦ node -e "a=1" ¦ node -e "let a=1" ¦ bash -c "let a=1" ¦ touch $x a=b ¦
  touch b1 && echo a=b ¦ echo a=b | foo ¦ foo && echo a=b | bar ¦ foo | bar a=b ¦ echo a=b > out1 ¦
  cd . && git status ¦ cd sub && git status ¦ cd sub && cd sub ¦ pushd sub && touch b1 ¦ cd && pwd ¦ cd sub && ls
`,
)

const first = (command: string): string => command.trim().split(/\s/)[0]!
const rules = [...new Set(forms.map(first))]
  .filter((word) => /^[\w./-]+$/.test(word))
  .map((word) => `Bash(${word}:*)`)

export const shellFormScenes: readonly Scene[] = [
  {
    name: 'forms of commands in the sandbox',
    settings: { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } },
  },
  { name: 'forms of commands, all of their programs allowed', settings: { permissions: { allow: rules } } },
].map(({ name, settings }) => ({
  name,
  files: { 'project/a.txt': 'a', 'project/sub/c.txt': 'c', 'home/.claude/settings.json': settings },
  probes: forms.map((command) => runs(command)),
  undocumented: 'which commands the client cannot check before they run',
}))
