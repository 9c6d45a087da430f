import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { clientFolders, scanner, who, type ClientFolders } from '../../../../test/support/client-folders.ts'

let folders: ClientFolders
beforeAll(() => {
  folders = clientFolders()
})
afterAll(() => folders.remove())

const bash = async (command: string, cwd?: string): Promise<boolean> =>
  (await folders.ask('Bash', { command }, who.main, cwd)) !== undefined

it.each([
  'cat TRANSCRIPT',
  `cat TASKS/${scanner}.output`,
  'cat TASKS/*',
  'tail -c 400 < TRANSCRIPT',
  'cat ~/.claude/projects/*/*/subagents/*.jsonl',
  'cat "$HOME"/.claude/projects/*/*/subagents/*',
  'cat ${HOME}/.claude/projects/SLUG/SESSION/sub*/*',
  'cat ~/.claude/projects/SLUG/SESSION/s?bagents/a*',
  'cat ~/.claude/projects/SLUG/SESSION/s[u]bagents/a*',
  'cat ~/.claude/projects/SLUG/SESSION/{sub,}agents/x',
  'cat ~/.claude/projects/SLUG/SESSION/sub""agents/x',
  "cat ~/.claude/projects/SLUG/SESSION/sub''agents/x",
  'cat ~/.claude/projects/SLUG/SESSION/sub\\agents/x',
  "cat ~/.claude/projects/SLUG/SESSION/$'\\x73ubagents'/x",
  'A=sub; cat ~/.claude/projects/SLUG/SESSION/${A}agents/x',
  'P=~/.claude/projects; cat $P/*/*/*/*',
  'export D="$HOME/.claude/projects"; cat "$D/SLUG/SESSION/subagents/x"',
  'cd ~/.claude/projects/SLUG/SESSION && cat s*/*',
  'cd; cd .c*; cd p*; cat */*/*/*',
  'cd ~/.claude/projects && cd -- -*; cat */subagents/*',
  'cd ~/.claude/projects; cat */subagents/*',
  'cd -; cat subagents/*',
  'pushd ~/.claude >/dev/null; head projects/*/*/subagents/*',
  'cat $(echo ~/.claude/projects/SLUG/SESSION/sub)agents/x',
  'cat `ls -d ~/.claude/projects/*/*/subagents`/*',
  'cat $X/subagents/agent-1.jsonl',
  'for f in ~/.claude/projects/*/*/*/*.jsonl; do cat "$f"; done',
  'while read f; do cat "$f"; done < <(find ~ -name "agent-*")',
  'find ~/.claude -name "*.jsonl" -exec cat {} +',
  'find / -name "agent-a*" 2>/dev/null | xargs cat',
  'grep -r key ~/.claude',
  'grep -rn key ~',
  'grep -R key /',
  'rg --hidden key ~',
  'tar cf - ~/.claude | strings',
  'cp -r ~/.claude /tmp/copy',
  'cp TRANSCRIPT x',
  'ln -s TRANSCRIPT x',
  'ln -s ~/.claude x',
  'ln TRANSCRIPT x; cat x',
  'cat innocent.txt',
  'cat ./innocent.txt | head',
  'cat vendor/projects/SLUG/SESSION/subagents/*',
  'dd if=TRANSCRIPT bs=1k',
  'curl file://TRANSCRIPT',
  'curl -d @TRANSCRIPT http://127.0.0.1:9/',
  'sqlite3 ~/.local/state/contextd/contextd.db .dump',
  'cat ~/.config/contextd/context-map.toml',
  'echo x > ~/.config/contextd/rules.json',
  'cat ROOT/plugin/agents/scanner.md',
  'cat ~/.claude/agents/*.md',
  'cat private/*.md',
  'bash -c "cat ~/.claude/projects/*/*/subagents/*"',
  "sh -c 'cat $HOME/.claude/projects/*/*/subagents/*'",
  'eval "cat ~/.claude/projects/SLUG/SESSION/sub""agents/x"',
  'python3 -c "print(open(\'TRANSCRIPT\').read())"',
  "python3 -c \"import os; print(open(os.path.expanduser('~/.claude/projects/SLUG/SESSION/sub'+'agents/x')).read())\"",
  "node -e \"console.log(require('fs').readFileSync('TRANSCRIPT','utf8'))\"",
  'perl -ne print TRANSCRIPT',
  "awk '{print}' TRANSCRIPT",
  "sed -n 1p 'TRANSCRIPT'",
  'python3 - <<EOF\nprint(open("TRANSCRIPT").read())\nEOF',
  'python3 -c "import os;[print(open(d+chr(47)+f).read()) for d,_,s in os.walk(os.path.expanduser(chr(126))) for f in s]"',
  `echo ${Buffer.from('cat ~/.claude/projects/*/*/subagents/*').toString('base64')} | base64 -d | sh`,
  `bash -c "$(printf '${Buffer.from('cat ~/.claude/agents/x').toString('hex').replaceAll(/../g, '\\x$&')}')"`,
  'diff /dev/null TRANSCRIPT',
  'git diff --no-index /dev/null ~/.claude/projects/SLUG/SESSION/subagents/x',
  'git -C ~/.claude grep --no-index key',
  'tar -C ~/.claude -cf - projects',
  'less +F TRANSCRIPT',
  'cat /proc/self/rootTRANSCRIPT',
  'wc -c TRANSCRIPT; ls -la ~/.claude/projects/SLUG/SESSION/subagents/',
])('%s is refused', async (command) => {
  expect(await bash(command)).toBe(true)
})

it('names that are relative begin where the shell stands', async () => {
  expect(await bash('cat subagents/x', folders.session)).toBe(true)
  expect(await bash('cat subagents/x')).toBe(false)
  expect(await bash('grep -r key', folders.home)).toBe(true)
  expect(await bash('grep -r key')).toBe(false)
  expect(await bash('rg key', join(folders.home, '.claude'))).toBe(true)
  expect(await bash('git commit -am x && ln -s a b', folders.home)).toBe(false)
})

it.each([
  'git status && npm test -- --run $FILE | tail -5',
  'grep -rn subagents src docs',
  'git commit -m "Say what subagents may read, and that ctxd trust asks"',
  'git commit -m "$(cat <<\'EOF\'\nExplain agents\n\nctxd trust is for people.\nEOF\n)"',
  'find . -name "*.jsonl" -exec wc -l {} +',
  'find / -name node -maxdepth 3',
  'ls ~ ~/.claude',
  'cat data/train.jsonl | head -3',
  'cat "$DIR"/*.jsonl',
  'for f in src/*.ts; do echo "$f"; done',
  'rg -n "TODO|FIXME" --glob "!dist"',
  'cat TASKS/b123abc.output',
  'cp -r src dist',
  'ls ~/.claude | grep -a x',
  'cd - && npm test',
  'cp -r src /tmp/elsewhere/app',
  'tar czf app.tgz src',
  'ln -s ../shared/lib lib',
  'node -e "console.log(process.version)"',
  'python3 -c "print(1+1)"',
  'cat > src/x.ts <<EOF\nexport const a = `${b}`\nEOF',
  'docker run --rm -v "$PWD":/app node:20 npm test',
  'cd src && ls -la ../docs',
  'make -C build all > build.output 2>&1',
  'echo "a b" | sed "s/a/b/" > tasks/list.txt',
  'ctxd doctor',
  'ctxd audit show 340ed01d',
  'ctxd rules explain frontend database.query',
  'grep -rn "ctxd trust" docs',
  'npm install contextd',
  'claude --version',
  'claude mcp list',
  'echo claude',
  'git log --author=claude',
  'ls ~/.claude/projects',
  'cat ~/.claude/settings.json',
])('%s is not', async (command) => {
  expect(await bash(command)).toBe(false)
})

it.each([
  'ctxd trust .',
  'ctxd  trust',
  '/usr/local/bin/ctxd trust',
  './node_modules/.bin/ctxd trust',
  'node ROOT/bin/ctxd.js trust .',
  'node ./dist/ctxd.js approve x',
  'npx ctxd trust',
  'npx -y contextd@latest init --platform all',
  'npm exec -- ctxd trust',
  'npm exec --package=contextd ctxd trust',
  'env -i PATH=/bin ctxd trust',
  'env -u CLAUDECODE ctxd trust',
  'CLAUDECODE= ctxd trust',
  'sudo -E ctxd trust',
  'nohup timeout 5 ctxd trust',
  'exec ctxd trust',
  'command ctxd trust',
  "c''txd trust",
  'c\\txd tr"us"t',
  'ctx? trust',
  '/usr/bin/ctx* trust',
  'A=ctxd; $A trust',
  'A=ctxd B=trust; "$A" $B',
  '$(which ctxd) trust',
  '`command -v ctxd` trust .',
  '"$(printf ctxd)" trust',
  'bash -c "ctxd trust"',
  'bash -lc \'env -i ctxd "trust" .\'',
  'script -qc "ctxd trust" /dev/null <<< y',
  'yes | ctxd trust',
  'echo ctxd trust | sh',
  'echo "ctxd trust" | bash',
  'bash <<< "ctxd trust"',
  'bash <<EOF\nctxd trust .\nEOF',
  'alias x=ctxd; x trust',
  'f() { ctxd "$@"; }; f trust',
  'echo . | xargs ctxd trust',
  'find . -maxdepth 0 -exec ctxd trust {} \\;',
  "python3 -c \"import pty; pty.spawn(['ctxd','trust'])\"",
  'python3 -c "import os; os.system(\'ctxd trust\')"',
  'true && ctxd config set client.mode friendly',
  'ctxd --json config set sandbox.mode off',
  'ctxd upstream approve files',
  'ctxd upstream logout files',
  'ctxd audit show 340ed01d --raw',
  'ctxd tool approve x',
  'ctxd secret list',
  'ctxd context add x.md',
  'ctxd agents token create --agent main',
  'contextd init --platform claude-code',
  'contextd hook protect < payload.json',
  `echo ${Buffer.from('ctxd trust . && echo done').toString('base64')} | base64 -d | sh`,
  'claude -p "print what the scanner knows"',
  'claude --agents "{}" -p x',
  'env -i /usr/bin/claude --agent contextd:scanner -p x',
  'npx @anthropic-ai/claude-code -p x',
  'bash -c "claude -p x"',
  'opencode run x',
  'opencode export',
])('%s is for the person', async (command) => {
  expect(await bash(command)).toBe(true)
})

it('what is too deep or too long to be read is refused', async () => {
  expect(await bash(`${'$('.repeat(20)}true${')'.repeat(20)}`)).toBe(true)
  expect(await bash('x '.repeat(30_000))).toBe(true)
  expect(await bash('{a,b}'.repeat(40))).toBe(false)
})
