/** Observed decisions of the client (2.1.325) on commands, case by case. */

import { describe, expect, test } from 'vitest'

import { setupWith, type Lists } from '../../../../test/claude-setup.ts'
import { explain } from '../explain.ts'
import type { Mode } from '../../setup/setup.ts'

interface Observation {
  readonly title: string
  readonly mode?: Mode
  readonly rules?: Lists
  readonly runs?: readonly string[]
  readonly asks?: readonly string[]
  readonly denies?: readonly string[]
}

/** Commands separated by `¦`. */
function each(texts: TemplateStringsArray): readonly string[] {
  return texts
    .join('')
    .trim()
    .split(/\s*¦\s*/)
}

const observations: readonly Observation[] = [
  {
    title: 'no rules',
    runs: each`
      ls ¦ ls -la ¦ cat a.txt ¦ head a.txt ¦ tail -n 2 a.txt ¦ wc -l a.txt ¦ grep h a.txt ¦ rg h ¦
      find . -name a.txt ¦ pwd ¦ echo hi ¦ printf hi ¦ true ¦ false ¦ date ¦ whoami ¦ hostname ¦
      uname -a ¦ id ¦ which ls ¦ type ls ¦ file a.txt ¦ stat a.txt ¦ du -sh ¦ df ¦ ps aux ¦ sort a.txt ¦
      cut -c1 a.txt ¦ tr a b ¦ sed -n 1p a.txt ¦ jq . a.txt ¦ diff a.txt a.txt ¦ git status ¦ git log ¦
      git diff ¦ git branch ¦ git show ¦ tree ¦ basename a.txt ¦ dirname a.txt ¦ realpath a.txt ¦
      sleep 0 ¦ test -f a.txt ¦ [ -f a.txt ] ¦ cd d ¦ cd d && ls ¦ ls | wc -l ¦ ls; pwd ¦
      echo hi > /dev/null ¦ ls 2>/dev/null ¦ ls 2>&1 ¦ cat < a.txt ¦ echo $HOME ¦ X=1 ¦ node --version ¦
      node -v ¦ python3 --version ¦ docker ps ¦ timeout 5 ls ¦ command ls ¦ if true; then ls; fi ¦
      while false; do ls; done ¦ ls * ¦ ls *.txt ¦ cat d/* ¦ history ¦ ls\npwd ¦ # comment\nls ¦ seq 3 ¦
      nl a.txt ¦ base64 a.txt ¦ md5sum a.txt ¦ sha256sum a.txt ¦ od a.txt ¦ hexdump a.txt ¦
      strings a.txt ¦ man ls ¦ help ¦ uptime ¦ free ¦ lsof ¦ netstat ¦ ss ¦ cmp a.txt a.txt ¦
      comm a.txt a.txt ¦ column a.txt ¦ paste a.txt ¦ rev a.txt ¦ tac a.txt ¦ expr 1 + 1 ¦ locale ¦
      cal ¦ nproc ¦ readlink a.txt ¦ pgrep x ¦ git remote -v ¦ git stash list ¦ git tag ¦
      git blame a.txt ¦ git ls-files ¦ git rev-parse HEAD ¦ ls "a b" ¦ echo 'x'`,
    asks: each`
      ls /etc ¦ ls ~ ¦ cat /etc/hostname ¦ find . -delete ¦ find . -exec cat {} \\; ¦ env ¦ printenv ¦
      uniq a.txt ¦ sed s/a/b/ a.txt ¦ sed -i s/a/b/ a.txt ¦ awk 1 a.txt ¦ git branch x ¦ git add a.txt ¦
      git commit -m x ¦ cd /tmp ¦ cd /etc && ls ¦ ls && touch x ¦ echo hi > out ¦ echo $FOO ¦
      echo $(pwd) ¦ echo \`pwd\` ¦ export X=1 ¦ X=1 ls ¦ touch x ¦ mkdir m ¦ rm a.txt ¦ npm --version ¦
      npm test ¦ npm ls ¦ python3 -c 1 ¦ curl localhost ¦ xargs ls ¦ ls | xargs cat ¦ nice ls ¦
      nohup ls ¦ time ls ¦ bash -c ls ¦ sh -c ls ¦ eval ls ¦ exec ls ¦ ls & ¦ (ls) ¦ { ls; } ¦
      for i in 1 2; do echo $i; done ¦ ls {a,b} ¦ alias ¦ less a.txt ¦ more a.txt ¦ top -bn1 ¦
      ping -c1 localhost ¦ tee x ¦ yes | head -1 ¦ getconf ARG_MAX ¦ gh pr list ¦ git config --list ¦
      git -C . status ¦ echo "$(ls)" ¦ echo hi | tee x ¦ cat <<EOF\nhi\nEOF`,
  },
  {
    title: 'rules that allow some commands',
    rules: {
      allow: [
        'Bash(touch:*)',
        'Bash(mkdir *)',
        'Bash(rmdir x y)',
        'Bash(* --zed)',
        'Bash(node*)',
        'Bash(git * main)',
        'Bash(find:*)',
        'Bash(python3 -c:*)',
        'Bash(npm run build)',
        'Bash(cp a.txt b\\*.txt)',
        'Bash(bash:*)',
        'Bash(sed:*)',
        'Bash(env:*)',
        'Bash(export:*)',
        'Bash(xargs:*)',
        'Bash(eval:*)',
      ],
    },
    runs: each`
      touch ¦ touch x ¦ mkdir m ¦ mkdir ¦ rmdir x y ¦ foo --zed ¦ foo bar --zed ¦ node -e 1 ¦ nodejs ¦
      git merge main ¦ python3 -c 1 ¦ python3 -c "print(1)" ¦ npm run build ¦ npm run build; touch x ¦
      touch x | cat ¦ touch x || true ¦ touch x\ntouch y ¦ touch x > /dev/null ¦ touch x 2>&1 ¦
      touch x < a.txt ¦ NODE_ENV=test touch x ¦ LANG=C touch x ¦ timeout 5 touch x ¦ time touch x ¦
      nice touch x ¦ nice -n 5 touch x ¦ nohup touch x ¦ stdbuf -o0 touch x ¦ env touch x ¦
      env FOO=1 touch x ¦ command touch x ¦ xargs touch ¦ bash -c "touch x" ¦ bash -c "rm x" ¦
      sed -i s/a/b/ a.txt ¦ sed s/a/b/ a.txt ¦ export X=1 ¦ if true; then touch x; fi ¦
      for i in 1 2; do touch x; done ¦ ! touch x ¦ touch "x y" ¦ touch 'x' ¦ touch x; ¦
      touch x # comment ¦ # c\ntouch x ¦ touch \\\n x ¦ touch x; ls ¦ ls; touch x ¦
      touch x <<'EOF'\nhi\nEOF ¦ touch x <<< hi ¦ [[ -f a.txt ]] && touch x ¦ touch x && [ -f x ] ¦
      X=1; touch x ¦ X=1 && touch x ¦ touch -- x ¦ git status && touch x ¦ touch .env`,
    asks: each`
      touchy x ¦ mkdirs ¦ rmdir x  y ¦ rmdir x y z ¦ foo --zed x ¦ --zed ¦ git main ¦ git merge main x ¦
      find . -delete ¦ find . -exec ls {} + ¦ find . -name x -exec touch y \\; ¦ python3 -cx ¦
      touch x && rm x ¦ touch x & touch y ¦ touch $(echo x) ¦ touch $HOME/x ¦ touch $FOO ¦
      touch \`echo x\` ¦ touch x > y ¦ touch x >> y ¦ touch ../outside ¦ touch /tmp/engine-out ¦
      touch ~/x ¦ FOO=1 touch x ¦ sudo touch x ¦ eval ls ¦ (touch x) ¦ { touch x; } ¦
      for i in 1 2; do touch $i; done ¦ touch {a,b} ¦ touch *.txt ¦ cd d && touch x ¦
      cd /tmp && touch x ¦ cd d; touch x ¦ pushd d && touch x ¦ TOUCH x ¦ /usr/bin/touch x ¦ ./touch x ¦
      touch x <<EOF\nhi\nEOF ¦ cat <(touch x) ¦ function f { touch x; }; f ¦ f() { touch x; }; f ¦
      cp a.txt b*.txt ¦ cp a.txt bc.txt ¦ X=1 && touch $X ¦ touch .git/x ¦ touch .claude/x ¦
      mkdir .claude/y ¦ touch .mcp.json ¦ touch .bashrc`,
  },
  {
    title: 'rules that allow, and paths',
    rules: {
      allow: [
        'Bash(cat:*)',
        'Bash(ls:*)',
        'Bash(touch:*)',
        'Bash(cp:*)',
        'Bash(grep:*)',
        'Bash(echo $(ls))',
        'Bash(eval ls)',
        'Bash(cd:*)',
        'Bash(curl:*)',
        'Bash(touch x && rm y)',
        'Bash(tar:*)',
        'Bash(echo:*)',
        'Bash(python3:*)',
        'Bash(rm:*)',
        'Bash(git:*)',
        'Bash(find . -name zz -delete)',
        'Bash((ls))',
      ],
    },
    runs: each`
      echo $(ls) ¦ eval ls ¦ cd d && ls ¦ touch x && rm y ¦ tar cf /tmp/x d ¦ echo $HOME ¦
      echo "$HOME" ¦ echo $((1+1)) ¦ echo ~ ¦ echo * ¦ rm a.txt ¦ git push ¦ git -C /tmp status ¦
      find . -name zz -delete ¦ cat d/* ¦ cat nofile ¦ [[ a == a ]] ¦ cat a.txt | python3 - ¦
      echo a; echo b; echo c ¦ echo "a && rm b" ¦ echo '$(ls)' ¦ echo \\$HOME ¦ echo hi >&2 ¦
      python3 -c "import os\nprint(1)" ¦ echo "# hi"`,
    asks: each`
      cat /etc/hostname ¦ ls /etc ¦ ls ~ ¦ touch /tmp/x ¦ cp a.txt /tmp/x ¦ cp /etc/hostname x ¦
      grep a /etc/hostname ¦ cd d && touch x ¦ cd /tmp ¦ cd /tmp && ls ¦ curl http://x > y ¦ echo $FOO ¦
      echo $USER ¦ echo $PWD ¦ echo \${HOME} ¦ cat $HOME/x ¦ echo $? ¦ echo $1 ¦ python3 x.py > out ¦
      rm -rf / ¦ rm -rf .. ¦ rm -rf ~/x ¦ git status > x ¦ (ls) ¦ echo hi > out ¦ echo hi > /tmp/out ¦
      echo {a,b} ¦ echo hi & ¦ case x in x) echo hi;; esac ¦ touch "$FOO" ¦ echo "$(ls)" ¦
      echo "a\`ls\`" ¦ cat ~/.bashrc ¦ cat <<'EOF' > f\nhi\nEOF ¦ echo hi 2> err ¦ echo hi &> all ¦
      cat a.txt>b.txt`,
  },
  {
    title: 'all of Bash is allowed',
    rules: { allow: ['Bash'] },
    runs: each`
      touch x ¦ rm x ¦ eval ls ¦ find . -name zz -delete ¦ touch {a,b} ¦ touch *.txt ¦ cd d && touch x ¦
      touch ../outside ¦ touch x > y ¦ touch /tmp/engine-out ¦ cat /etc/hostname ¦ ls /etc ¦
      echo $(ls) ¦ (ls) ¦ --zed ¦ FOO=1 touch x ¦ rm -rf d ¦ cat <<EOF\nhi\nEOF ¦ sudo ls ¦ git status ¦
      npm test ¦ touch $FOO ¦ cp a.txt b.txt ¦ mv b.txt c.txt ¦ ln -s a.txt l ¦ sed -i s/a/b/ a.txt ¦
      sed s/a/b/ a.txt ¦ mkdir m ¦ rmdir m ¦ chmod 644 a.txt ¦ tee x ¦ echo x | tee y ¦
      mkdir /tmp/engine-m ¦ cp a.txt /tmp/engine-c ¦ python3 -c 1 ¦ ls ~ ¦ touch x && python3 -c 1 ¦
      touch x; rm x ¦ cd /tmp && ls ¦ touch .env ¦ tar cf x.tar d ¦ dd if=a.txt of=b ¦ node -e 1 ¦
      curl localhost ¦ git commit -m x ¦ > new ¦ echo hi >> new`,
    asks: each`
      touch .claude/x ¦ touch .mcp.json ¦ touch .git/x ¦ echo x > .claude/y ¦ rm -rf / ¦ rm -rf ~ ¦
      rm -rf . ¦ touch .bashrc ¦ mkdir .claude/skills ¦ touch .vscode/x`,
  },
  {
    title: 'acceptEdits',
    mode: 'acceptEdits',
    runs: each`
      touch x ¦ rm x ¦ touch x > y ¦ rm -rf d ¦ git status ¦ cp a.txt b.txt ¦ mv b.txt c.txt ¦
      sed -i s/a/b/ a.txt ¦ sed s/a/b/ a.txt ¦ mkdir m ¦ rmdir m ¦ touch x; rm x ¦ touch .env ¦
      echo hi >> new`,
    asks: each`
      eval ls ¦ find . -name zz -delete ¦ touch {a,b} ¦ touch *.txt ¦ cd d && touch x ¦
      touch ../outside ¦ touch /tmp/engine-out ¦ cat /etc/hostname ¦ ls /etc ¦ echo $(ls) ¦
      touch .claude/x ¦ touch .mcp.json ¦ touch .git/x ¦ echo x > .claude/y ¦ (ls) ¦ --zed ¦
      FOO=1 touch x ¦ rm -rf / ¦ rm -rf ~ ¦ rm -rf . ¦ cat <<EOF\nhi\nEOF ¦ sudo ls ¦ npm test ¦
      touch $FOO ¦ ln -s a.txt l ¦ chmod 644 a.txt ¦ tee x ¦ echo x | tee y ¦ mkdir /tmp/engine-m ¦
      cp a.txt /tmp/engine-c ¦ python3 -c 1 ¦ ls ~ ¦ touch x && python3 -c 1 ¦ cd /tmp && ls ¦
      tar cf x.tar d ¦ dd if=a.txt of=b ¦ node -e 1 ¦ curl localhost ¦ touch .bashrc ¦
      mkdir .claude/skills ¦ touch .vscode/x ¦ git commit -m x ¦ > new`,
  },
  {
    title: 'bypassPermissions',
    mode: 'bypassPermissions',
    runs: each`
      touch x ¦ rm x ¦ eval ls ¦ find . -name zz -delete ¦ touch {a,b} ¦ touch *.txt ¦ cd d && touch x ¦
      touch ../outside ¦ touch x > y ¦ touch /tmp/engine-out ¦ cat /etc/hostname ¦ ls /etc ¦
      echo $(ls) ¦ touch .claude/x ¦ touch .mcp.json ¦ touch .git/x ¦ echo x > .claude/y ¦ (ls) ¦
      --zed ¦ FOO=1 touch x ¦ rm -rf d ¦ cat <<EOF\nhi\nEOF ¦ sudo ls ¦ git status ¦ npm test ¦
      touch $FOO ¦ cp a.txt b.txt ¦ mv b.txt c.txt ¦ ln -s a.txt l ¦ sed -i s/a/b/ a.txt ¦
      sed s/a/b/ a.txt ¦ mkdir m ¦ rmdir m ¦ chmod 644 a.txt ¦ tee x ¦ echo x | tee y ¦
      mkdir /tmp/engine-m ¦ cp a.txt /tmp/engine-c ¦ python3 -c 1 ¦ ls ~ ¦ touch x && python3 -c 1 ¦
      touch x; rm x ¦ cd /tmp && ls ¦ touch .env ¦ tar cf x.tar d ¦ dd if=a.txt of=b ¦ node -e 1 ¦
      curl localhost ¦ touch .bashrc ¦ mkdir .claude/skills ¦ touch .vscode/x ¦ git commit -m x ¦
      > new ¦ echo hi >> new`,
    asks: each`
      rm -rf / ¦ rm -rf ~ ¦ rm -rf .`,
  },
  {
    title: 'rules that deny',
    rules: {
      allow: ['Bash'],
      deny: ['Bash(rm:*)', 'Bash(curl *)', 'Bash(npm publish)', 'Read(./secret/**)', 'Edit(./d/**)'],
    },
    runs: each`
      eval rm x ¦ rmdir zz ¦ find . -name zz -exec rm {} \\; ¦ npm publish --x ¦ cat $PWD/secret/s.txt ¦
      grep -r s . ¦ python3 -c "open('secret/s.txt')" ¦ less secret/s.txt ¦ cat d/b.txt ¦
      touch secret/x ¦ echo x > secret/x ¦ cp a.txt secret/y ¦ cat a.txt ¦ xxd secret/s.txt`,
    denies: each`
      rm x ¦ ls && rm x ¦ ls; rm x ¦ ls | rm x ¦ echo $(rm x) ¦ FOO=1 rm x ¦ timeout 5 rm x ¦ env rm x ¦
      nohup rm x ¦ sudo rm x ¦ xargs rm ¦ (rm x) ¦ if true; then rm x; fi ¦ for i in 1; do rm x; done ¦
      f() { rm x; }; f ¦ /bin/rm x ¦ \\rm x ¦ "rm" x ¦ r""m x ¦ command rm x ¦ ls & rm x ¦ rm ¦ curl ¦
      curl x ¦ npm publish ¦ npm  publish ¦ cat secret/s.txt ¦ cat ./secret/s.txt ¦ head secret/s.txt ¦
      grep s secret/s.txt ¦ grep -r s secret ¦ ls secret ¦ cp secret/s.txt x ¦ cat < secret/s.txt ¦
      cd secret && cat s.txt ¦ cat secret/* ¦ sort secret/s.txt ¦ tail secret/s.txt ¦ wc secret/s.txt ¦
      sed -n 1p secret/s.txt ¦ base64 secret/s.txt ¦ awk 1 secret/s.txt ¦ diff secret/s.txt a.txt ¦
      touch d/x ¦ echo x > d/x ¦ cp a.txt d/x ¦ mv d/b.txt y ¦ rm d/b.txt ¦ sed -i s/a/b/ d/b.txt ¦
      tee d/x ¦ mkdir d/m ¦ find secret ¦ stat secret/s.txt ¦ md5sum secret/s.txt ¦ jq . secret/s.txt ¦
      git diff secret/s.txt ¦ strings secret/s.txt`,
  },
  {
    title: 'rules that ask',
    rules: {
      allow: ['Bash'],
      ask: ['Bash(touch:*)', 'Bash(npm run *)', 'Read(./secret/**)', 'Edit(./d/**)'],
    },
    runs: each`
      cat secret/s.txt ¦ echo x > d/x ¦ cp a.txt d/x ¦ cat d/b.txt ¦ bash -c "touch x"`,
    asks: each`
      touch x ¦ ls && touch x ¦ FOO=1 touch x ¦ timeout 5 touch x ¦ echo $(touch x) ¦ /usr/bin/touch x ¦
      sudo touch x ¦ (touch x) ¦ npm  run x ¦ touch d/x ¦ xargs touch`,
  },
  {
    title: 'a folder that rules allow reading',
    rules: { allow: ['Read(//etc/**)'] },
    runs: each`
      cat /etc/hostname ¦ ls /etc ¦ grep a /etc/hostname ¦ cd /etc ¦ cd /etc && ls`,
    asks: each`
      cat /etc/hostname > x ¦ cp /etc/hostname x ¦ xxd /etc/hostname`,
  },
  {
    title: 'files that rules allow writing',
    rules: { allow: ['Bash(touch:*)', 'Bash(echo:*)', 'Edit(./**)'] },
    runs: each`
      touch x > y ¦ echo hi > out ¦ ls > y`,
    asks: each`
      echo hi > /tmp/out ¦ touch ../x ¦ rm a.txt ¦ cp a.txt z ¦ mkdir q ¦ cd d && touch x ¦
      touch .claude/x ¦ echo hi > .claude/x`,
  },
  {
    title: 'rules with the exact text of a command',
    rules: {
      allow: [
        'Bash(ls &)',
        'Bash({ ls; })',
        'Bash((ls))',
        'Bash(ls > x)',
        'Bash(touch /tmp/x)',
        'Bash(cd d && touch x)',
        'Bash(touch .claude/x)',
        'Bash(cat /etc/hostname)',
        'Bash(touch x > y)',
        'Bash(X=1 touch x)',
        'Bash(touch {a,b})',
        'Bash(echo $FOO)',
        'Bash(sudo ls)',
        'Bash(rm -rf .)',
      ],
    },
    runs: each`
      { ls; } ¦ X=1 touch x ¦ touch {a,b} ¦ echo $FOO ¦ sudo ls`,
    asks: each`
      ls & ¦ (ls) ¦ ls > x ¦ touch /tmp/x ¦ cd d && touch x ¦ touch .claude/x ¦ cat /etc/hostname ¦
      touch x > y ¦ rm -rf .`,
  },
  {
    title: 'plan',
    mode: 'plan',
    rules: {
      allow: [
        'Bash(npm run:*)',
        'Bash(npm test)',
        'Bash(git:*)',
        'Bash(mkdir *)',
        'Bash(node -v)',
        'Bash(python3 -c 1)',
        'Bash(cargo:*)',
        'Bash(make:*)',
        'Bash(curl:*)',
        'Bash(rm:*)',
        'Bash(env:*)',
        'Bash(docker:*)',
        'Bash(npx:*)',
        'Bash(foo:*)',
        'Bash(*)',
        'Bash(touch*)',
        'Bash(gh:*)',
        'Bash(go run:*)',
        'Bash(bash:*)',
        'Bash(ssh:*)',
        'Bash(sudo:*)',
        'Bash(kubectl:*)',
        'Bash(aws:*)',
        'Bash(eval:*)',
        'Bash(perl *)',
        'Bash(node:*)',
        'Bash(uv run:*)',
        'Bash(pnpm:*)',
        'Bash(npm:*)',
      ],
    },
    runs: each`
      npm run x ¦ npm test ¦ git push ¦ mkdir m ¦ python3 -c 1 ¦ cargo build ¦ make x ¦ curl x ¦ rm q ¦
      docker run x ¦ foo x ¦ touch x ¦ gh x ¦ go run x ¦ kubectl x ¦ aws x ¦ uv run x ¦ pnpm x ¦
      npm install`,
    asks: each`
      env ls ¦ npx x ¦ bash x.sh ¦ ssh x ¦ sudo x ¦ perl x ¦ node x`,
  },
  {
    title: 'leading variables and wrapper programs',
    rules: { allow: ['Bash(touch:*)', 'Bash(Bas)'] },
    runs: each`
      NODE_ENV=1 touch x ¦ TZ=1 touch x ¦ NO_COLOR=1 touch x ¦ FORCE_COLOR=1 touch x ¦ CI=1 touch x ¦
      TERM=1 touch x ¦ PYTHONUNBUFFERED=1 touch x ¦ PYTHONDONTWRITEBYTECODE=1 touch x ¦
      RUST_LOG=1 touch x ¦ RUST_BACKTRACE=1 touch x ¦ GOOS=1 touch x ¦ GOARCH=1 touch x ¦
      GOEXPERIMENT=1 touch x ¦ CGO_ENABLED=1 touch x ¦ GO111MODULE=1 touch x ¦ COLORTERM=1 touch x ¦
      COLUMNS=1 touch x ¦ LINES=1 touch x ¦ LS_COLORS=1 touch x ¦ GREP_COLOR=1 touch x ¦
      GREP_COLORS=1 touch x ¦ GCC_COLORS=1 touch x ¦ CHARSET=1 touch x ¦ LANGUAGE=1 touch x ¦
      LC_TIME=1 touch x ¦ ANTHROPIC_API_KEY=1 touch x ¦ TIME_STYLE=1 touch x ¦ BLOCK_SIZE=1 touch x ¦
      BLOCKSIZE=1 touch x ¦ CLICOLOR=1 touch x ¦ PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 touch x ¦
      PYTEST_DEBUG=1 touch x ¦ LANG=C TZ=x touch x ¦ timeout -k 5 10 touch x ¦
      timeout --signal=KILL 5 touch x ¦ timeout 5s touch x ¦ nice -10 touch x ¦ xargs touch ¦
      ls | xargs touch ¦ builtin touch x ¦ nohup timeout 5 touch x ¦ stdbuf -oL touch x ¦
      noglob touch x ¦ time touch x && touch y`,
    asks: each`
      LANG=1 touch x ¦ LC_ALL=1 touch x ¦ LC_CTYPE=1 touch x ¦ DEBUG=1 touch x ¦ PATH=1 touch x ¦
      LD_PRELOAD=1 touch x ¦ NODE_OPTIONS=1 touch x ¦ PYTHONPATH=1 touch x ¦ HOME=1 touch x ¦
      GIT_DIR=1 touch x ¦ JEST_WORKERS=1 touch x ¦ RUSTFLAGS=1 touch x ¦ EDITOR=1 touch x ¦
      PAGER=1 touch x ¦ USER=1 touch x ¦ npm_config_x=1 touch x ¦ GOFLAGS=1 touch x ¦ PORT=1 touch x ¦
      VERBOSE=1 touch x ¦ LANG="a b" touch x ¦ LANG=$X touch x ¦ time -p touch x ¦ env touch x ¦
      env LANG=C touch x ¦ sudo touch x ¦ xargs -n1 touch ¦ command -v touch ¦ exec touch x ¦
      ionice touch x ¦ setsid touch x ¦ watch touch x ¦ doas touch x ¦ unbuffer touch x ¦
      chroot / touch x`,
  },
]

describe.each(observations)('$title', ({ mode, rules = {}, runs = [], asks = [], denies = [] }) => {
  const setup = setupWith({ user: rules })
  const cases = [
    ...runs.map((command) => [command, 'allow']),
    ...asks.map((command) => [command, 'ask']),
    ...denies.map((command) => [command, 'deny']),
  ]

  test.each(cases)('%s: %s', (command, decision) => {
    const result = explain(setup, {
      tool: `Bash(${command})`,
      cliAllow: [],
      cliDeny: [],
      ...(mode !== undefined && { mode }),
    })
    expect(result).toMatchObject({ decision, isListed: true })
  })
})
