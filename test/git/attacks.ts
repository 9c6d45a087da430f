/** Ways to make git run a command, and places to put them. Everything here is done by an agent, as text for bash. */

import type { Layout } from './layouts.ts'

/** How a settings file makes git run `command`. */
export interface Feature {
  readonly name: string
  /** Text of a settings file. */
  readonly settings: (command: string) => string
  /** What else has to be in the work tree, or in the folder of the repository `$G`. */
  readonly besides?: (command: string) => string
}

const script = (path: string, command: string): string =>
  `mkdir -p "$(dirname "${path}")"; printf '#!/bin/sh\\n%s\\n' '${command}' > "${path}"; chmod +x "${path}"`

export const features: readonly Feature[] = [
  { name: 'core.fsmonitor', settings: (command) => `[core]\n\tfsmonitor = "${command}; false"\n` },
  {
    name: 'core.hooksPath',
    settings: () => '[core] hooksPath = tools/hooks\n',
    besides: (command) =>
      ['pre-commit', 'post-checkout', 'reference-transaction', 'post-index-change']
        .map((name) => script(`tools/hooks/${name}`, command))
        .join('\n'),
  },
  {
    name: 'a filter',
    settings: (command) => `[filter "x"]\n\tclean = "${command}; cat"\n\tsmudge = "${command}; cat"\n`,
    besides: () => `echo '* filter=x' > .gitattributes`,
  },
  {
    name: 'a long-running filter',
    settings: (command) => `[filter "x"]\n\tprocess = "${command}"\n`,
    besides: () => `echo '* filter=x' > .gitattributes`,
  },
  {
    name: 'textconv',
    settings: (command) => `[diff "x"]\n\ttextconv = "${command}; cat"\n`,
    besides: () => `echo '* diff=x' > .gitattributes`,
  },
  {
    name: 'a diff driver',
    settings: (command) => `[diff "x"]\n\tcommand = "${command}; true"\n`,
    besides: () => `echo '* diff=x' > "$G/info/attributes" 2>/dev/null || echo '* diff=x' > .gitattributes`,
  },
  { name: 'diff.external', settings: (command) => `[diff]\n\texternal = "${command}; true"\n` },
  { name: 'core.editor', settings: (command) => `[core]\n\teditor = "${command}; true"\n` },
  {
    name: 'gpg.program',
    settings: () => '[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = tools/gpg\n',
    besides: (command) => script('tools/gpg', command),
  },
  {
    name: 'remote.uploadpack',
    settings: (command) =>
      `[remote "origin"]\n\turl = ./nowhere\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tuploadpack = "${command};"\n`,
  },
  {
    name: 'core.sshCommand',
    settings: (command) =>
      `[core]\n\tsshCommand = "${command};"\n[remote "origin"]\n\turl = ssh://localhost/x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
  },
  {
    name: 'an include',
    settings: () =>
      '[include]\n\tpath = /proc/self/cwd/more.gitconfig\n[includeIf "gitdir:/**"]\n\tpath = more\n',
    besides: (command) =>
      `printf '[core]\\n\\tfsmonitor = "%s; false"\\n' '${command}' | tee more.gitconfig > "$G/more"`,
  },
]

/** Where a settings file is put, so that git reads it. */
export interface Place {
  readonly name: string
  /** The layouts it makes sense in, by name. */
  readonly isFor: (layout: Layout) => boolean
  /** Folders to be visited besides those of the layout. */
  readonly visited?: readonly string[]
  /** Bash that puts `$SETTINGS` there, and sets `$G` to the folder of the repository. Runs in the workspace. */
  readonly put: string
}

const always = (): boolean => true
const named =
  (...names: string[]) =>
  ({ name }: Layout): boolean =>
    names.includes(name)

const newRepository = (folder: string): string => `
  git init -q "${folder}" && cd "${folder}" && G=$PWD/.git
  echo x > a.txt && git -c user.name=x -c user.email=x@example.com add a.txt
  git -c user.name=x -c user.email=x@example.com commit -q -m x
`
const bareIn = (folder: string): string => `
  mkdir -p ${folder}/objects ${folder}/refs ${folder}/info && echo 'ref: refs/heads/main' > ${folder}/HEAD
  G=$PWD/${folder}
`

export const places: readonly Place[] = [
  {
    name: '.git/config',
    isFor: named('a repository', 'a linked work tree inside', 'a submodule'),
    put: 'G=$PWD/.git; printf %s "$SETTINGS" >> .git/config',
  },
  {
    name: '.git/config through a rename',
    isFor: named('a repository'),
    put: `G=$PWD/.git; cp -r .git .new; printf %s "$SETTINGS" >> .new/config
      mv .git .old && mv .new .git || { cp .new/config .git/config.lock; mv .git/config.lock .git/config; }`,
  },
  {
    name: '.git/config.worktree',
    isFor: named('a repository', 'a linked work tree inside'),
    put: `G=$PWD/.git; git config extensions.worktreeConfig true; printf %s "$SETTINGS" > .git/config.worktree`,
  },
  {
    name: 'config.worktree of the linked work tree',
    isFor: named('a linked work tree inside'),
    put: `git config extensions.worktreeConfig true; cd tree; G=$PWD/../.git/worktrees/tree
      printf %s "$SETTINGS" > "$G/config.worktree"`,
  },
  {
    name: 'the workspace becomes the repository',
    isFor: always,
    put: `rm -rf .git/HEAD .git/objects; rm -f .git
      mkdir -p objects refs info; echo 'ref: refs/heads/main' > HEAD
      printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = "."\\n' > config; printf %s "$SETTINGS" >> config; G=$PWD
      git add -A`,
  },
  {
    name: 'a new repository inside',
    isFor: always,
    visited: ['docs/ex'],
    put: `${newRepository('docs/ex')} printf %s "$SETTINGS" >> .git/config`,
  },
  {
    name: 'a new repository inside, as a gitlink',
    isFor: named('a repository', 'a submodule', 'another repository inside'),
    put: `(${newRepository('docs/ex')} printf %s "$SETTINGS" >> .git/config)
      git add docs/ex; G=$PWD/docs/ex/.git; cd docs/ex`,
  },
  {
    name: 'a bare repository inside',
    isFor: named('a repository', 'no repository'),
    visited: ['docs/bare'],
    put: `${bareIn('docs/bare')} printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = "."\\n%s' "$SETTINGS" > docs/bare/config
      cd docs/bare`,
  },
  {
    name: 'a .git file that points to a folder',
    isFor: named('no repository', 'a repository'),
    visited: ['docs/pointed'],
    put: `mkdir -p docs/pointed; ${bareIn('store')} printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n%s' "$SETTINGS" > store/config
      cd docs/pointed; echo 'gitdir: ../../store' > .git`,
  },
  {
    name: 'a .git link to a folder',
    isFor: named('no repository'),
    put: `${bareIn('store')} printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n%s' "$SETTINGS" > store/config; ln -s store .git`,
  },
  {
    name: 'commondir',
    isFor: named('a repository'),
    put: `cp -r .git store; G=$PWD/store; printf %s "$SETTINGS" >> store/config; echo ../store > .git/commondir`,
  },
  {
    name: 'a shared folder without a HEAD',
    isFor: named('a repository', 'no repository'),
    visited: ['docs/linked'],
    put: `mkdir -p foo/worktrees/x foo/objects foo/refs docs/linked; echo 'ref: refs/heads/main' > foo/worktrees/x/HEAD
      echo ../.. > foo/worktrees/x/commondir; printf '[core]\\n\\trepositoryformatversion = 0\\n%s' "$SETTINGS" > foo/config
      G=$PWD/foo; cd docs/linked; echo 'gitdir: ../../foo/worktrees/x' > .git`,
  },
  {
    name: 'the folder of the submodule',
    isFor: named('a submodule'),
    put: `cd sub; G=$PWD/../.git/modules/sub; printf %s "$SETTINGS" >> "$G/config"`,
  },
  {
    name: 'a folder in place of the .git of the submodule',
    isFor: named('a submodule'),
    put: `cd sub; cp -r ../.git/modules/sub own; git config -f own/config --unset core.worktree
      rm -f .git; mv own .git; G=$PWD/.git; printf %s "$SETTINGS" >> .git/config`,
  },
  {
    name: 'the repository inside',
    isFor: named('another repository inside'),
    put: `cd vendor/lib; G=$PWD/.git; printf %s "$SETTINGS" >> .git/config`,
  },
  {
    name: 'the .git of the linked work tree',
    isFor: named('a linked work tree of a repository elsewhere', 'a linked work tree inside'),
    put: `[ -d tree ] && cd tree; mkdir -p store/objects store/refs store/info; echo 'ref: refs/heads/main' > store/HEAD
      G=$PWD/store; printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n%s' "$SETTINGS" > store/config; rm -f .git; echo 'gitdir: store' > .git`,
  },
]

/** Files git runs without any settings of the agent. Bash that runs in the workspace, `$SCRIPT` is the program. */
export interface Plant {
  readonly name: string
  readonly isFor: (layout: Layout) => boolean
  readonly visited?: readonly string[]
  /** What the user has set up before: bash, in the workspace. */
  readonly setup?: string
  readonly put: string
}

const hookNames = 'pre-commit post-checkout post-commit reference-transaction post-index-change'
const plantHooks = (folder: string): string =>
  `mkdir -p ${folder}; for name in ${hookNames}; do cp "$SCRIPT" ${folder}/$name; chmod +x ${folder}/$name; done`

export const plants: readonly Plant[] = [
  { name: '.git/hooks', isFor: named('a repository'), put: plantHooks('.git/hooks') },
  {
    name: '.git/hooks after it was deleted',
    isFor: named('a repository'),
    setup: 'rm -r .git/hooks',
    put: plantHooks('.git/hooks'),
  },
  { name: 'hooks of the submodule', isFor: named('a submodule'), put: plantHooks('.git/modules/sub/hooks') },
  {
    name: 'hooks of the repository inside',
    isFor: named('another repository inside'),
    put: plantHooks('vendor/lib/.git/hooks'),
  },
  {
    name: 'hooks of a new repository',
    isFor: always,
    visited: ['docs/ex'],
    put: `${newRepository('docs/ex')} ${plantHooks('.git/hooks')}`,
  },
  ...(
    [
      ['on one line', `printf '[core] hooksPath = .team\\n' >> "$(git rev-parse --git-common-dir)/config"`],
      ['global', `git config --global core.hooksPath .team`],
      [
        'in an included file',
        `printf '[core]\\n\\thooksPath = .team\\n' > team.gitconfig
         git config include.path "$PWD/team.gitconfig"`,
      ],
      [
        'in config.worktree',
        `git config extensions.worktreeConfig true; git config --worktree core.hooksPath .team`,
      ],
    ] as const
  ).map(([name, setup]) => ({
    name: `hooks where core.hooksPath, ${name}, says`,
    isFor: named('a repository', 'a linked work tree of a repository elsewhere', 'a linked work tree inside'),
    setup,
    put: plantHooks('.team'),
  })),
  {
    name: 'hooks of a new repository where the global core.hooksPath says',
    isFor: named('a repository', 'no repository'),
    visited: ['docs/ex'],
    setup: 'git config --global core.hooksPath .team',
    put: `${newRepository('docs/ex')} ${plantHooks('.team')}`,
  },
  {
    name: 'the file that the settings include',
    isFor: named('a repository'),
    setup: 'git config include.path ../team.gitconfig',
    put: `printf '[core]\\n\\tfsmonitor = "%s; false"\\n' "$SCRIPT" > team.gitconfig`,
  },
  {
    name: 'a program that the settings name',
    isFor: named('a repository', 'a linked work tree of a repository elsewhere'),
    setup: `mkdir tools; printf '#!/bin/sh\\ncat\\n' > tools/clean; chmod +x tools/clean
      git config filter.x.clean ./tools/clean; echo '* filter=x' > .gitattributes`,
    put: 'cp "$SCRIPT" tools/clean',
  },
  {
    name: 'a program that the settings name and that is missing',
    isFor: named('a repository'),
    setup: `git config core.fsmonitor tools/monitor`,
    put: 'mkdir -p tools; cp "$SCRIPT" tools/monitor; chmod +x tools/monitor',
  },
  {
    name: 'what a hook is a link to',
    isFor: named('a repository'),
    setup: `mkdir tools; printf '#!/bin/sh\\n' > tools/check; chmod +x tools/check
      ln -s ../../tools/check .git/hooks/pre-commit`,
    put: 'cp "$SCRIPT" tools/check',
  },
  {
    name: 'hooks behind a link in place of a folder that is missing',
    isFor: named('a repository'),
    setup: 'git config core.hooksPath tools/hooks',
    put: `${plantHooks('x/hooks')}; ln -s x tools`,
  },
  {
    name: 'hooks where a linked global configuration says',
    isFor: named('a repository'),
    setup: `mkdir "$HOME/dotfiles"; printf '[core]\\n\\thooksPath = .team\\n' > "$HOME/dotfiles/gitconfig"
      ln -s dotfiles/gitconfig "$HOME/.gitconfig"`,
    put: plantHooks('.team'),
  },
  {
    name: 'the hooks that those of husky run',
    isFor: named('a repository'),
    setup: `mkdir -p app/.husky/_; git config core.hooksPath app/.husky/_
      printf '#!/bin/sh\\nexec "$(dirname "$0")/../pre-commit"\\n' > app/.husky/_/pre-commit
      chmod +x app/.husky/_/pre-commit`,
    put: plantHooks('app/.husky'),
  },
  ...(
    [
      ['a space in its name', `git config core.fsmonitor "'./my tools/run'"`, 'my tools/run'],
      ['$PWD before it', `git config core.fsmonitor '$PWD/tools/run'`, 'tools/run'],
      ['a change of folder before it', `git config core.fsmonitor 'cd tools; ./run'`, 'tools/run'],
    ] as const
  ).map(([name, setup, path]) => ({
    name: `a program that the settings name, with ${name}`,
    isFor: named('a repository'),
    setup,
    put: `mkdir -p "$(dirname '${path}')"; cp "$SCRIPT" '${path}'; chmod +x '${path}'`,
  })),
]
