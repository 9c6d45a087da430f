import { expect, test } from 'vitest'

import { shellWrites } from './shell-writes.ts'

const env = { HOME: '/home/me' }
const folders = new Set(['/w', '/w/.github', '/home/me/.config'])
const written = (text: string): string[] => shellWrites(text, { cwd: '/w', env }, (path) => folders.has(path))

test.each<[string, string[]]>([
  ['echo x > .envrc', ['/w/.envrc']],
  ['echo x >> ~/.bashrc', ['/home/me/.bashrc']],
  ['echo x >| "$HOME/.profile"', ['/home/me/.profile']],
  ['make &> log 2>&1', ['/w/log', '/w/1']],
  ['cat <<EOF > .husky/pre-commit\nrm -rf /\nEOF', ['/w/.husky/pre-commit']],
  ['echo x | sudo tee -a .vscode/tasks.json', ['/w/.vscode/tasks.json']],
  ['cp evil.json .vscode/tasks.json', ['/w/.vscode/tasks.json', '/w/.vscode/tasks.json/evil.json']],
  ['mv -t .husky a b', ['/w/.husky', '/w/.husky/a', '/w/.husky/b']],
  ['cp -r templates/.vscode .', ['/w/.vscode']],
  ['cp a.yml .github/', ['/w/.github/a.yml']],
  ['mv -t ~/.config x', ['/home/me/.config/x']],
  ['cp a.yml .husky/', ['/w/.husky', '/w/.husky/a.yml']],
  // What replaces the folder, or may bring another name along.
  ['cp -rT x .github', ['/w/.github', '/w/.github/x']],
  ['ln -sfn x .github', ['/w/.github', '/w/.github/x']],
  ['cp --parents hooks/x .github', ['/w/.github', '/w/.github/x']],
  ['cp -r x/ .github', ['/w/.github']],
  ['cp -r x/. .github', ['/w/.github']],
  ['rsync -R hooks/x .github', ['/w/.github', '/w/.github/x']],
  ['rm -r .github; mv x .github', ['/w/.github', '/w/.github/x']],
  ['mv .github old && mv x .github', ['/w/old', '/w/old/.github', '/w/.github', '/w/.github/x']],
  ['rm -r old; mv x .github', ['/w/.github/x']],
  ['ln -sf ../evil .git/hooks/pre-commit', ['/w/.git/hooks/pre-commit', '/w/.git/hooks/pre-commit/evil']],
  ['install -m 755 hook .githooks/pre-push', ['/w/.githooks/pre-push', '/w/.githooks/pre-push/hook']],
  ["sed -i 's/.vscode/x/' .npmrc", ['/w/.npmrc']],
  ["sed -i.bak -e 's/a/b/' .npmrc", ['/w/.npmrc']],
  ["perl -pi -e 's/a/b/' .npmrc", ['/w/.npmrc']],
  ['dd if=a of=.envrc', ['/w/.envrc']],
  ['curl -so .bashrc https://example.com', ['/w/.bashrc']],
  ['wget --output-document=.bashrc https://example.com', ['/w/.bashrc']],
  ['touch -d yesterday .envrc', ['/w/.envrc']],
  ["bash -c 'echo x > .envrc'", ['/w/.envrc']],
])('%s', (text, paths) => expect(written(text).toSorted()).toEqual(paths.toSorted()))

test.each([
  'cat .envrc',
  "sed 's/a/b/' .npmrc",
  'cat < .envrc',
  'grep -r x .vscode',
  'git commit -m "change .vscode > .idea"',
  'ls -la .husky',
  'gh pr create --body "move it: cp a .vscode, or echo x > .envrc"',
])('%s writes nothing', (text) => expect(written(text)).toEqual([]))

test('what a wildcard or a variable copies may have any name', () => {
  expect(written('cp -r * .github')).toContain('/w/.github')
  expect(written('cp -r $x .github')).toContain('/w/.github')
})

test('counts from every folder that the line goes to', () => {
  expect(written('cd .vscode && echo x > tasks.json')).toContain('/w/.vscode/tasks.json')
})
