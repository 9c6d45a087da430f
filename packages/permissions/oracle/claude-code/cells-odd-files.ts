/** Commands that access denied files, and read-only commands, in unusual forms. */

import { listed } from './cells-odd-commands.ts'
import { runs, type Scene } from './scene.ts'

const user = 'home/.claude/settings.json'
const files = { 'project/a.txt': 'a', 'project/sub/c.txt': 'c', 'outside/o.txt': 'o' }

const readers = listed(`
  cat secret/k.txt ¦ cat ./secret/k.txt ¦ cat secret//k.txt ¦ cat secret/../secret/k.txt ¦
  cat "secret/k.txt" ¦ cat sec""ret/k.txt ¦ cat s?cret/k.txt ¦ cat sec*/k.txt ¦ cat secret/* ¦
  cat secre[t]/k.txt ¦ cat {secret,sub}/k.txt ¦ cat < secret/k.txt ¦ cat 0<secret/k.txt ¦ cat<secret/k.txt ¦
  cd secret && cat k.txt ¦ cd secret; cat k.txt ¦ (cd secret; cat k.txt) ¦ pushd secret && cat k.txt ¦
  cat $PWD/secret/k.txt ¦ cat ~+/secret/k.txt ¦ X=secret; cat $X/k.txt ¦ cat SECRET/k.txt ¦
  cat Secret/K.txt ¦ head -1 secret/k.txt ¦ head -n1 secret/k.txt ¦ tail secret/k.txt ¦ less secret/k.txt ¦
  more secret/k.txt ¦ nl secret/k.txt ¦ tac secret/k.txt ¦ rev secret/k.txt ¦ od secret/k.txt ¦
  xxd secret/k.txt ¦ strings secret/k.txt ¦ base64 secret/k.txt ¦ sort secret/k.txt ¦ uniq secret/k.txt ¦
  cut -c1 secret/k.txt ¦ paste secret/k.txt ¦ diff secret/k.txt a.txt ¦ cmp secret/k.txt a.txt ¦
  comm secret/k.txt a.txt ¦ grep . secret/k.txt ¦ grep -r . secret ¦ grep -r . . ¦
  grep -f secret/k.txt a.txt ¦ grep --file=secret/k.txt a.txt ¦ grep -e . secret/k.txt ¦ rg . secret/k.txt ¦
  sed -n p secret/k.txt ¦ sed p secret/k.txt ¦ sed -n -e p secret/k.txt ¦ awk 1 secret/k.txt ¦
  awk -f secret/k.txt ¦ jq . secret/k.txt ¦ tr a b < secret/k.txt ¦ dd if=secret/k.txt ¦
  cp secret/k.txt b9 ¦ mv secret/k.txt b8 ¦ ln secret/k.txt b7 ¦ ln -s secret/k.txt b6 ¦ tar cf - secret ¦
  zip - secret/k.txt ¦ wc secret/k.txt ¦ file secret/k.txt ¦ stat secret/k.txt ¦ ls secret ¦ find secret ¦
  find . -path ./secret/k.txt ¦ python3 secret/k.txt ¦ bash secret/k.txt ¦ . secret/k.txt ¦
  source secret/k.txt ¦ git diff --no-index secret/k.txt a.txt ¦ git show HEAD:secret/k.txt ¦
  git log -p secret ¦ git hash-object secret/k.txt ¦ git grep k secret ¦ curl file://$PROJECT/secret/k.txt ¦
  curl -T secret/k.txt http://127.0.0.1:9 ¦ curl -d @secret/k.txt http://127.0.0.1:9 ¦
  while read l; do echo $l; done < secret/k.txt ¦ echo "$(<secret/k.txt)" ¦ echo $(cat secret/k.txt) ¦
  mapfile -t x < secret/k.txt ¦ read x < secret/k.txt ¦ cat a.txt secret/k.txt ¦ cat -- secret/k.txt ¦
  cat -n secret/k.txt ¦ timeout 5 cat secret/k.txt ¦ nice cat secret/k.txt ¦ env cat secret/k.txt ¦
  sudo cat secret/k.txt ¦ xargs cat secret/k.txt ¦ echo secret/k.txt | xargs cat ¦
  command cat secret/k.txt ¦ /bin/cat secret/k.txt ¦ \\cat secret/k.txt ¦ "cat" secret/k.txt ¦
  cat secret/k.txt | head ¦ if true; then cat secret/k.txt; fi ¦ cat secret\\/k.txt ¦ cat sec\\ret/k.txt ¦
  cat $'secret/k.txt' ¦ cat secret/k.txt > b5 ¦ tee b4 < secret/k.txt ¦ vim secret/k.txt ¦
  iconv secret/k.txt ¦ fold secret/k.txt ¦ pr secret/k.txt ¦ split secret/k.txt ¦ shuf secret/k.txt ¦
  md5sum secret/k.txt ¦ sha256sum secret/k.txt ¦ cksum secret/k.txt ¦ hexdump secret/k.txt ¦
  column secret/k.txt ¦ expand secret/k.txt ¦ join secret/k.txt a.txt ¦ look . secret/k.txt ¦
  bat secret/k.txt ¦ gzip -c secret/k.txt ¦ xz -c secret/k.txt ¦ openssl base64 -in secret/k.txt ¦
  tree secret ¦ du secret ¦ readlink -f secret/k.txt ¦ realpath secret/k.txt ¦ test -f secret/k.txt ¦
  [ -f secret/k.txt ] ¦ sort -o b3 secret/k.txt ¦ sort --files0-from=secret/k.txt ¦
  wc --files0-from=secret/k.txt ¦ du --files0-from=secret/k.txt ¦ date -f secret/k.txt ¦
  diff --from-file=secret/k.txt a.txt ¦ cat secret/k.txt # x ¦ rm secret/k.txt
`)

const writers = listed(`
  echo x > guard/g ¦ echo x >> guard/g ¦ echo x >| guard/g ¦ echo x 2> guard/g ¦ echo x &> guard/g ¦
  echo x &>> guard/g ¦ echo x >& guard/g ¦ cat <> guard/g ¦ > guard/g ¦ : > guard/g ¦ echo x > "guard/g" ¦
  echo x > gu""ard/g ¦ echo x > guard\\/g ¦ echo x > ./guard/../guard/g ¦ echo x > g*/g ¦
  echo x > $PWD/guard/g ¦ echo x > GUARD/g ¦ echo x >guard/g ¦ echo x | tee guard/g ¦
  echo x | tee -a guard/g ¦ echo x | tee b1 guard/g ¦ tee -- guard/g < a.txt ¦ cp a.txt guard/g ¦
  cp a.txt guard ¦ cp -t guard a.txt ¦ cp --target-directory=guard a.txt ¦ mv b1 guard/g ¦ mv guard/g b2 ¦
  mv -t guard b1 ¦ touch guard/g ¦ touch -r a.txt guard/g ¦ rm guard/g ¦ rm -rf guard/x ¦ mkdir guard/x ¦
  mkdir -p guard/x/y ¦ rmdir guard/x ¦ sed -i s/a/b/ guard/g ¦ sed -i.bak s/a/b/ guard/g ¦
  sed --in-place s/a/b/ guard/g ¦ sed -ni p guard/g ¦ sed -n "w guard/g" a.txt ¦ sed s/a/b/ guard/g ¦
  truncate -s0 guard/g ¦ dd if=a.txt of=guard/g ¦ ln a.txt guard/l ¦ ln -s a.txt guard/l ¦
  install a.txt guard/g ¦ chmod 600 guard/g ¦ chown root guard/g ¦ patch guard/g a.txt ¦
  perl -pi -e 1 guard/g ¦ awk "{print > "guard/g"}" a.txt ¦ sort -o guard/g a.txt ¦ sort a.txt -oguard/g ¦
  sort --output=guard/g a.txt ¦ uniq a.txt guard/g ¦ find guard -name zz -delete ¦
  find guard -fprint guard/g ¦ unlink guard/zz ¦ shred guard/zz ¦ rsync a.txt guard/g ¦
  cd guard && echo x > g ¦ cd guard; touch g ¦ (cd guard; echo x > g) ¦ (echo x > guard/g) ¦
  { echo x > guard/g; } ¦ { echo x; } > guard/g ¦ (echo x) > guard/g ¦ if true; then echo x; fi > guard/g ¦
  for i in 1; do echo x; done > guard/g ¦ while false; do true; done > guard/g ¦ f() { echo x; } > guard/g ¦
  exec 3> guard/g ¦ echo x 1>guard/g ¦ echo x 3>guard/g ¦ echo x >&2 ¦ cat > guard/g <<'EOF'\nx\nEOF ¦
  cat <<'EOF' > guard/g\nx\nEOF ¦ cat << EOF > guard/g\nx\nEOF ¦ echo $(echo x > guard/g) ¦
  echo "$(echo x > guard/g)" ¦ bash -c "echo x > guard/g" ¦ git diff --output=guard/g ¦
  curl -o guard/g http://127.0.0.1:9 ¦ wget -O guard/g http://127.0.0.1:9 ¦ tar xf a.txt -C guard ¦
  zip guard/z a.txt ¦ gzip -c a.txt > guard/g ¦ env tee guard/g < a.txt ¦ timeout 5 tee guard/g < a.txt ¦
  nice rm guard/zz ¦ sudo rm guard/zz ¦ /bin/rm guard/zz ¦ command rm guard/zz ¦ \\rm guard/zz ¦
  rm -- guard/zz ¦ rm a9 guard/zz ¦ rm "guard/zz" ¦ xargs rm guard/zz ¦ echo guard/zz | xargs rm ¦
  true && rm guard/zz ¦ cat guard/g ¦ ls guard ¦ python3 -c "open("guard/g","w")"
`)

const lookers = listed(`
  git log --output=b1 ¦ git diff --output=b1 ¦ git log -p ¦ git branch new ¦ git branch -D x ¦
  git branch -a ¦ git branch --show-current ¦ git tag v1 ¦ git tag -d v1 ¦ git tag -l ¦ git tag ¦
  git remote add x y ¦ git remote show origin ¦ git remote get-url origin ¦ git stash list ¦
  git stash show ¦ git stash ¦ git config --get x ¦ git config --list ¦ git config x y ¦ git -C sub status ¦
  git -c core.pager=x log ¦ git --git-dir=x log ¦ git --no-pager log ¦ git show --ext-diff ¦
  git blame a.txt ¦ git reflog ¦ git reflog expire ¦ git ls-remote ¦ git ls-remote origin ¦
  git cat-file -p HEAD ¦ git for-each-ref ¦ git shortlog ¦ git describe ¦ git grep a ¦ git worktree list ¦
  git worktree add x ¦ git merge-base a b ¦ git rev-list HEAD ¦ git show-ref ¦ git symbolic-ref HEAD ¦
  git check-ignore a ¦ git diff --no-index a.txt sub/c.txt ¦ git status --porcelain ¦ git fetch ¦
  git ls-tree HEAD ¦ git var GIT_EDITOR ¦ git count-objects ¦ git help log ¦ git version ¦ git --version ¦
  git add a.txt ¦ sort -ob1 a.txt ¦ sort a.txt -o b1 ¦ sort --output=b1 a.txt ¦
  sort --compress-program=sh a.txt ¦ sort -T . a.txt ¦ date -s 12:00 ¦ date +%s ¦ date -d tomorrow ¦
  date 010100002000 ¦ hostname newname ¦ hostname -I ¦ hostname -f ¦ find . -fprint b1 ¦
  find . -exec true ; ¦ find . -name "*.txt" ¦ find / -maxdepth 0 ¦ find sub -type f ¦ find .. -maxdepth 0 ¦
  tree -o b1 ¦ tree ¦ file -C ¦ file a.txt ¦ ps aux ¦ ps e ¦ ps -ef ¦ jq -f a.txt ¦ jq . a.txt ¦ jq -n env ¦
  jq -n "input_filename" ¦ rg --pre cat a ¦ rg a ¦ rg a sub ¦ grep -P a a.txt ¦ grep -r a . ¦
  egrep a a.txt ¦ fgrep a a.txt ¦ zgrep a a.txt ¦ man ls ¦ man -P cat ls ¦ help ¦ history ¦ history -c ¦
  env ¦ printenv ¦ printenv PATH ¦ sed -n 1p a.txt ¦ sed -n p a.txt ¦ sed -n 1,2p a.txt ¦
  sed -n "1p;2p" a.txt ¦ sed -n "w b1" a.txt ¦ sed s/a/b/ a.txt ¦ sed -e s/a/b/ a.txt ¦ sed -n -e 1p a.txt ¦
  sed -E s/a/b/ a.txt ¦ sed s/a/b/w a.txt ¦ sed -n /a/p a.txt ¦ sed s/a/b/e a.txt ¦ sed 1d a.txt ¦
  awk 1 a.txt ¦ awk "{print}" a.txt ¦ less a.txt ¦ more a.txt ¦ docker ps ¦ docker ps -a ¦ docker images ¦
  docker inspect x ¦ docker logs x ¦ docker run x ¦ gh pr view ¦ gh pr list ¦ gh issue list ¦ gh api x ¦
  gh repo view ¦ gh auth status ¦ npm ls ¦ npm view x ¦ npm --version ¦ npm -v ¦ pip list ¦ pip show x ¦
  pip --version ¦ pyright ¦ lsof ¦ ss ¦ ss -K ¦ netstat ¦ free ¦ kill -l ¦ cal ¦ locale ¦ nproc ¦ arch ¦
  uptime ¦ who ¦ w ¦ last ¦ groups ¦ getent passwd ¦ tty ¦ xxd a.txt ¦ cksum a.txt ¦ sha1sum a.txt ¦
  sha512sum a.txt ¦ sha256sum a.txt ¦ shasum a.txt ¦ md5sum -c a.txt ¦ fold a.txt ¦ fmt a.txt ¦
  expand a.txt ¦ unexpand a.txt ¦ pr a.txt ¦ tsort a.txt ¦ numfmt 1 ¦ join a.txt a.txt ¦ uniq a.txt ¦
  uniq a.txt b1 ¦ uniq ¦ factor 4 ¦ node -v ¦ node --version x ¦ node -e 1 ¦ python -V ¦ python3 -V ¦
  python --version ¦ rustc --version ¦ cargo --version ¦ go version ¦ java -version ¦ ruby -v ¦
  deno --version ¦ bun --version ¦ yarn --version ¦ diff a.txt a.txt ¦ sdiff a.txt a.txt ¦ zcat a.txt ¦
  ag a ¦ fd a ¦ fd -x true ¦ fdfind a ¦ bat a.txt ¦ column a.txt ¦ getconf ARG_MAX ¦ stat a.txt ¦
  test -f a.txt ¦ [ -f a.txt ] ¦ [[ -f a.txt ]] ¦ type ls ¦ command -v ls ¦ command -V ls ¦ hash ¦ hash -r ¦
  ulimit -a ¦ ulimit -n 10 ¦ umask ¦ umask 077 ¦ echo ~ ¦ echo ~root ¦ ls ~ ¦ ls .. ¦ ls ../outside ¦
  ls $HOME ¦ cd .. ¦ cd / ¦ cd / && ls ¦ cd ~ ¦ cd ¦ cd - ¦ cat ../outside/o.txt ¦ cat $ROOT/outside/o.txt ¦
  tput cols ¦ tput reset ¦ sleep 0 & ¦ export X=1 ¦ export X=$(touch b1) ¦ unset X ¦ set ¦ set -e ¦ set -x ¦
  alias ¦ alias x=y ¦ jobs ¦ ip addr ¦ ip link set lo up ¦ ifconfig ¦ route ¦ dig x ¦ nslookup x ¦ host x ¦
  uname -a ¦ id ¦ whoami ¦ pgrep x ¦ pkill zzzz ¦ du -sh ¦ df -h ¦ mount ¦ lsblk ¦ lscpu ¦ X=1 ¦ X=1 ls ¦
  PATH=/tmp ls ¦ LD_PRELOAD=x ls ¦ LANG=C ls ¦ NO_COLOR=1 ls ¦ GIT_PAGER=x git log ¦ TZ=UTC date ¦ X=1 Y=2 ¦
  ls -R ¦ ls *.txt ¦ ls s?b ¦ cat *.txt ¦ cat a.txt b* ¦ echo * ¦ ls {a,b}.txt ¦ echo {a,b} ¦ echo $X ¦
  echo "$X" ¦ echo \${X} ¦ echo $? ¦ echo $$ ¦ echo $# ¦ echo $1 ¦ echo !! ¦ echo "!x" ¦ echo \\a ¦
  echo a\\ b ¦ echo 'a b' ¦ echo "a b" ¦ echo "a\\"b" ¦ echo -e "a\\nb" ¦ echo a#b ¦ echo #b ¦
  echo a > /dev/null ¦ echo a 2>&1 ¦ ls 2>/dev/null ¦ ls > /dev/null 2>&1 ¦ ls &>/dev/null ¦ cat < a.txt ¦
  cat <<< x ¦ wc -l < a.txt ¦ cat a.txt | wc -l ¦ ls | head -1 ¦ ls | xargs echo ¦ ls | xargs -n1 echo ¦
  ls | xargs cat ¦ ls | xargs wc -l ¦ ls | xargs grep a ¦ ls | xargs -I{} echo {} ¦ ls | tee /dev/null ¦
  ls || true ¦ ls; pwd ¦ ls & pwd ¦ (ls) ¦ { ls; } ¦ ! ls ¦ time ls ¦ nice ls ¦ nohup ls ¦ timeout 5 ls ¦
  stdbuf -oL ls ¦ env ls ¦ sudo ls ¦ /bin/ls ¦ /bin/cat a.txt ¦ \\ls ¦ "ls" ¦ l"s" ¦ command ls ¦
  builtin echo x ¦ exec ls ¦ eval ls ¦ xargs ls ¦ watch ls ¦ strace ls ¦ if true; then ls; fi ¦
  for i in 1 2; do echo x; done ¦ for i in 1 2; do echo $i; done ¦ while false; do ls; done ¦
  case x in x) ls;; esac ¦ f() { ls; }; f ¦ [ 1 = 1 ] && ls ¦ ((1)) ¦ ((x++)) ¦ let x=1 ¦ echo $((1+1)) ¦
  echo $((x)) ¦ true ¦ false ¦ : ¦ printf x ¦ printf "%s" x ¦ printf -v x y ¦ read x < a.txt ¦ wait ¦
  times ¦ trap ¦ exit ¦ exit 0 ¦ return ¦ shopt ¦ pwd -P ¦ basename a/b ¦ dirname a/b ¦ realpath a.txt ¦
  readlink a.txt ¦ seq 3 ¦ tr a b < a.txt ¦ cut -c1 a.txt ¦ nl a.txt ¦ tac a.txt ¦ rev a.txt ¦ paste a.txt ¦
  comm a.txt a.txt ¦ cmp a.txt a.txt ¦ od a.txt ¦ hexdump a.txt ¦ strings a.txt ¦ base64 a.txt ¦
  base64 -d a.txt ¦ base32 a.txt ¦ expr 1 + 1 ¦ test 1 ¦ which ls ¦ whereis ls ¦ look x ¦ xdg-open a.txt ¦
  open a.txt ¦ code a.txt ¦ vim a.txt ¦ claude --version ¦ claude -p x ¦ make -n ¦ make ¦ tsc --noEmit ¦
  eslint . ¦ prettier --check . ¦ cargo check ¦ go vet ¦ pytest ¦ jest
`)

export const oddFileScenes: readonly Scene[] = [
  {
    name: 'odd commands, a folder must not be read',
    files: {
      ...files,
      'project/secret/k.txt': 'k',
      [user]: { permissions: { allow: ['Bash'], deny: ['Read(./secret/**)'] } },
    },
    probes: readers.map((command) => runs(command)),
    undocumented: 'which files a command uses',
  },
  {
    name: 'odd commands, a folder must not be written',
    files: {
      ...files,
      'project/guard/g': 'g',
      [user]: { permissions: { allow: ['Bash'], deny: ['Edit(./guard/**)'] } },
    },
    probes: writers.map((command) => runs(command)),
    undocumented: 'which files a command uses',
  },
  {
    name: 'odd commands that only look',
    files,
    probes: lookers.map((command) => runs(command)),
    undocumented: 'which commands need no rule',
  },
]
