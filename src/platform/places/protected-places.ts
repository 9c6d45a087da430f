/**
 * Files that determine what other programs run. An agent that could write them would execute code outside every
 * sandbox as soon as the user opens the folder, starts a shell or commits. safe_write, safe_edit, safe_bash and the clients'
 * hooks use this table, and the documentation is generated from it.
 *
 * A path belongs here if a tool acts on it without
 * the user asking to run that file. Build files do not: package.json, Makefiles, CI workflows, Dockerfiles and
 * scripts run when the user runs the build. Neither do instructions for agents (AGENTS.md, CLAUDE.md), which run
 * nothing by themselves.
 */

import { row, type PlaceGroup } from './place-table.ts'

const git: PlaceGroup = {
  title: 'Git repositories',
  rows: [
    row('git runs its hooks, and what its settings name', '.git'),
    row('git clones and updates submodules as it says', '.gitmodules'),
  ],
}

export const protectedPlaces: readonly PlaceGroup[] = [
  git,
  {
    title: 'Hooks and version control',
    rows: [
      row(
        'git runs what its configuration names, and takes hooks and attributes from here',
        '.gitconfig, .config/git',
      ),
      row('holds hooks that git runs at every commit, checkout or push', '.husky, .githooks, .git-hooks'),
      row('pre-commit runs what it lists at every commit', '.pre-commit-config.yaml, prek.toml'),
      row(
        'Lefthook runs what it lists at every commit',
        `lefthook.yml, lefthook.yaml, lefthook.toml, lefthook.json, lefthook.jsonc, .lefthook.yml,
         .lefthook.yaml, .lefthook.toml, .lefthook.json, .lefthook.jsonc, lefthook-local.yml,
         lefthook-local.yaml, lefthook-local.toml, lefthook-local.json, .lefthook-local.yml,
         .lefthook-local.yaml, .lefthook-local.toml, .lefthook-local.json, .config/lefthook.yml,
         .config/lefthook.yaml, .lefthook, .lefthook-local`,
      ),
      row(
        'other hook managers run what it lists at every commit',
        `.overcommit.yml, .local-overcommit.yml, captainhook.json, grumphp.yml, .huskyrc, .huskyrc.json,
         .trunk`,
      ),
      row('Mercurial, Jujutsu and Sapling run what it names', '.hg/hgrc, .jj/repo/config.toml, .sl/config'),
    ],
  },
  {
    title: 'Shells',
    rows: [
      row(
        'shells run it when they start or end',
        `.bashrc, .bash_profile, .bash_login, .bash_logout, .profile, .bash_aliases, .bash_functions,
         .bash_completion, .shrc, .kshrc, .mkshrc, .cshrc, .tcshrc, .config/fish, .config/nushell`,
      ),
      row(
        'zsh runs it when it starts or ends',
        '.zshrc, .zshenv, .zprofile, .zlogin, .zlogout, .zsh_aliases',
      ),
      row('binds keys typed in a shell to commands', '.inputrc'),
      row(
        'direnv, autoenv or mise run it when a shell enters the folder',
        `.envrc, .direnv, .autoenv, .autoenv.zsh, mise.toml, mise.local.toml, .mise.toml, .mise.local.toml,
         .mise, .config/mise, .config/mise.toml`,
      ),
    ],
  },
  {
    title: 'Agents',
    rows: [
      row('decides what agents may do here, and how they are checked', '.contextd, .mcp-gateway-rules.json'),
      row('clients start the servers that it names', '.mcp.json'),
      {
        ...row('Claude Code runs hooks, plugins and commands from here, and takes permissions', '.claude'),
        // Agents write these on behalf of the client, which runs none of them.
        except: ['.claude/plans', '.claude/projects', '.claude/worktrees'],
      },
      row(
        'OpenCode runs plugins and tools from here, and takes permissions',
        '.opencode, opencode.json, opencode.jsonc',
      ),
      row('Codex takes commands, servers and permissions from here', '.codex, .agents'),
      row('Gemini and Antigravity take commands, servers and permissions from here', '.gemini, .agent'),
      row('Qwen Code takes commands, servers and permissions from here', '.qwen'),
      row('Cursor starts servers and runs hooks from here', '.cursor'),
      row('Kiro runs hooks and starts servers from here', '.kiro'),
      row('Amazon Q runs hooks and starts servers from here', '.amazonq'),
      row(
        'Roo and Kilo start servers and take permissions from here',
        '.roo, .roomodes, .kilocode, .kilocodemodes',
      ),
      row('Cline runs hooks and workflows from here', '.clinerules, .cline'),
      row('Windsurf starts servers and runs workflows from here', '.windsurf'),
      row('Copilot runs hooks and starts servers from here', '.copilot, .github/hooks'),
      row('Continue starts servers from here', '.continue, .continuerc.json'),
      row('Aider runs the commands that it names after every edit', '.aider.conf.yml'),
      row(
        'other agents run commands or start servers that it names',
        '.crush.json, crush.json, .goose, .openhands, .factory, .junie, .augment, .trae',
      ),
    ],
  },
  {
    title: 'Editors',
    rows: [
      row('Visual Studio Code runs tasks and programs that it names', '.vscode'),
      row('JetBrains editors run tools and configurations from here', '.idea, .fleet'),
      row('Zed runs tasks and language servers that it names', '.zed'),
      row('Helix runs the language servers that it names', '.helix'),
      row(
        'Vim and Neovim run it when they start in the folder',
        '.vimrc, .exrc, .nvimrc, .nvim.lua, .lazy.lua, .lvimrc, .vim, .nvim, .config/nvim',
      ),
      row('completion for Vim runs it when a file is opened', '.ycm_extra_conf.py'),
      row(
        'Emacs runs it when it starts or opens a file here',
        '.emacs, .emacs.d, .dir-locals.el, .dir-locals-2.el',
      ),
      row('editors build and start containers from it', '.devcontainer, .devcontainer.json'),
      row('hosted workspaces run it when they start', '.gitpod.yml, .idx, .codesandbox'),
    ],
  },
  {
    title: 'Package managers and tools',
    rows: [
      row(
        'yarn runs the program and plugins that it names, for every command',
        '.yarnrc.yml, .yarnrc, .yarn/releases, .yarn/plugins, .yarn/sdks',
      ),
      row('npm and pnpm take registries, logins and the shell for scripts from it', '.npmrc'),
      row('pnpm runs it at every installation', '.pnpmfile.cjs, .pnpmfile.mjs'),
      row(
        'cargo and editors for Rust run the compiler, wrappers and linkers that it names',
        '.cargo/config.toml, .cargo/config',
      ),
      row(
        'debuggers run it when they start in the folder',
        '.gdbinit, .lldbinit, .pdbrc, .perldb, .rdbgrc, .byebugrc',
      ),
      row(
        'interpreters run it when they start in the folder',
        '.Rprofile, .Renviron, .irbrc, .pryrc, .ghci, .iex.exs, .ocamlinit',
      ),
      row('tmux runs the programs that it names', '.tmux.conf'),
      row('ripgrep runs a program that it names on every file', '.ripgreprc'),
    ],
  },
  {
    title: 'Logins and the session',
    rows: [
      row('ssh runs commands that it names, and accepts logins with its keys', '.ssh'),
      row(
        'the session starts what it names when the user logs in',
        '.config/systemd/user, .config/autostart',
      ),
    ],
  },
  {
    title: 'In the home folder only',
    isHomeOnly: true,
    rows: [
      row(
        'git, Mercurial and Jujutsu run what it names, and copy hooks from it',
        '.git-templates, .git_template, .config/husky, .hgrc, .config/hg, .jjconfig.toml, .config/jj',
      ),
      row(
        'shells run it when they start or end',
        `.bashrc.d, .bash_completion.d, .local/share/bash-completion, .aliases, .login, .logout, .zsh,
         .zfunc, .config/zsh, .oh-my-zsh, .p10k.zsh, .config/elvish, .config/xonsh, .xonshrc,
         .config/powershell, Documents/PowerShell, Documents/WindowsPowerShell, .config/direnv, .direnvrc,
         .asdfrc`,
      ),
      row('the prompt runs commands that it names', '.config/starship.toml'),
      row('shells find programs here first', '.local/bin, .cargo/bin, .cargo/env, .bun/bin, .deno/bin'),
      row(
        'agents run commands or start servers that it names',
        '.config/opencode, .config/crush, .config/goose, .codeium',
      ),
      row(
        'editors run it when they start',
        `.config/zed, .config/helix, .config/vim, .gvimrc, .ideavimrc, .config/emacs, .doom.d, .config/doom,
         .spacemacs`,
      ),
      row(
        'Python runs parts of it on every start, and pip takes packages from where it says',
        '.local/lib, .config/pip, .pip',
      ),
      row(
        'builds of every project run it',
        '.gradle/init.d, .gradle/init.gradle, .gradle/init.gradle.kts, .mavenrc, .antrc',
      ),
      row(
        'interpreters and database clients run it when they start',
        `.gdbearlyinit, .ipython, .jupyter, .julia/config, .pythonrc, .psqlrc, .sqliterc, .duckdbrc,
         .mongoshrc.js`,
      ),
      row(
        'terminals run programs that it names',
        `.config/tmux, .screenrc, .config/zellij, .config/alacritty, .config/kitty, .config/ghostty,
         .config/wezterm, .wezterm.lua`,
      ),
      row(
        'the tool takes programs or options from it at every use',
        '.curlrc, .wgetrc, .lesskey, .lessfilter, .mailcap, .tigrc, .terraformrc',
      ),
      row(
        'the tool runs a program that it names to log in',
        `.gnupg, .aws/config, .aws/credentials, .kube/config, .docker/config.json, .docker/cli-plugins,
         .config/containers`,
      ),
      row(
        'the session runs it or takes its environment from it when the user logs in',
        `.local/share/systemd, Library/LaunchAgents, .config/plasma-workspace, .config/environment.d,
         .pam_environment, .xprofile, .xinitrc, .xsession, .xsessionrc, .xserverrc`,
      ),
      row(
        'the desktop starts programs from it',
        `.local/share/applications, .local/share/dbus-1, .config/mimeapps.list, .config/sway, .config/i3,
         .i3, .config/hypr, .config/openbox, .config/awesome, .config/bspwm, .config/sxhkd`,
      ),
      row('mail is delivered to programs that it names', '.forward, .procmailrc'),
    ],
  },
]
