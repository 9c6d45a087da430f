import { row, type PlaceGroup } from '../../platform/places/place-table.ts'

/**
 * Paths in a home folder that a user does not intend to expose to an agent: a path belongs here if reading it lets
 * someone act as the user elsewhere, or reveals what the user typed, said or visited. Paths are relative to the home
 * folder. No row is inside another.
 */
export const privatePlaces: readonly PlaceGroup[] = [
  {
    title: 'Keys and passwords',
    rows: [
      row('keys to other machines', '.ssh'),
      row('keys that sign and decrypt', '.gnupg, .config/sops, .config/age, .minisign'),
      row(
        'stored passwords',
        `.password-store, .local/share/gopass, .config/gopass, .local/share/lpass, .lpass, .config/keepassxc,
         .config/KeePass`,
      ),
      row(
        'sessions of password managers',
        `.config/1Password, .config/op, .op, .config/Bitwarden, .config/Bitwarden CLI`,
      ),
      row('keyrings of the desktop', `.local/share/keyrings, .local/share/kwalletd, Library/Keychains`),
      row('private keys of certificates', '.pki, .step, .local/share/mkcert'),
      row('logins to secret stores', '.vault-token, .doppler, .infisical'),
      row('passwords for hosts', '.netrc, _netrc, .authinfo, .authinfo.gpg'),
      row('second factors', '.config/Yubico, .google_authenticator'),
    ],
  },
  {
    title: 'Code hosts and package registries',
    rows: [
      row(
        'passwords that git and Subversion store',
        `.git-credentials, .config/git/credentials, .subversion/auth`,
      ),
      row('logins to code hosts', '.config/gh, .config/hub, .config/glab-cli, .config/tea'),
      row('tokens for npm registries', '.npmrc, .yarnrc.yml, .config/pnpm, .bunfig.toml'),
      row(
        'tokens for Python registries',
        `.pypirc, .pip, .config/pip, .config/pypoetry, .config/uv, .local/share/uv/credentials, .condarc,
         .continuum`,
      ),
      row('tokens for Rust registries', '.cargo/credentials, .cargo/credentials.toml'),
      row('tokens for Ruby registries', `.gem/credentials, .local/share/gem/credentials, .bundle/config`),
      row('tokens for PHP registries', '.composer/auth.json, .config/composer/auth.json'),
      row(
        'passwords for Java repositories',
        `.m2/settings.xml, .m2/settings-security.xml, .gradle/gradle.properties, .ivy2/.credentials,
         .sbt/.credentials`,
      ),
      row(
        'passwords for other registries',
        `.nuget/NuGet, .config/NuGet, .hex/hex.config, .config/dart, .pub-cache/credentials.json,
         .conan/.conan.db, .conan2/credentials.json`,
      ),
    ],
  },
  {
    title: 'Clouds and services',
    rows: [
      row('logins to AWS', '.aws, .saml2aws, .awsvault, .granted'),
      row('logins to Azure', '.azure, .IdentityService, .local/share/.IdentityService'),
      row('logins to Google Cloud', '.config/gcloud, .boto, .gsutil'),
      row(
        'logins to other clouds',
        `.oci, .bluemix, .aliyun, .config/doctl, .config/hcloud, .config/scw, .config/linode-cli,
         .config/openstack, .ovh.conf, .civo.json`,
      ),
      row(
        'logins to hosting services',
        `.fly, .netlify, .config/netlify, .vercel, .local/share/com.vercel.cli, .wrangler, .config/.wrangler,
         .cloudflared, .local/share/heroku, .railway, .supabase, .config/configstore, .expo`,
      ),
      row('logins to clusters', `.kube, .config/helm, .minikube, .config/argocd, .talos, .rancher`),
      row('logins to container registries', '.docker, .dockercfg, .config/containers/auth.json'),
      row(
        'logins of tools that set up machines',
        `.terraform.d/credentials.tfrc.json, .terraformrc, .pulumi, .vagrant.d, .vault_pass, .vault_pass.txt,
         .chef`,
      ),
      row('logins to storage and backups', `.s3cfg, .config/rclone, .rclone.conf, .mc, .config/borg`),
      row(
        'logins to other services',
        `.sentryclirc, .config/stripe, .twilio-cli, .config/ngrok, .ngrok2, .circleci, .travis, .databricks,
         .databrickscfg, .snowflake, .snowsql, .dbt, .jira.d, .slack`,
      ),
      row(
        'tokens of data science tools and notebooks',
        `.kaggle, .huggingface, .cache/huggingface/token, .cache/huggingface/stored_tokens, .config/wandb,
         .jupyter, .local/share/jupyter/runtime, .config/code-server, .local/share/code-server`,
      ),
    ],
  },
  {
    title: 'Databases, networks and wallets',
    rows: [
      row(
        'passwords of databases',
        `.pgpass, .pg_service.conf, .my.cnf, .mylogin.cnf, .mongorc.js, .clickhouse-client,
         .local/share/DBeaverData`,
      ),
      row(
        'logins to networks and desktops',
        `.cert/nm-openvpn, .config/openvpn3, .config/protonvpn, .config/remmina, .local/share/remmina,
         .config/filezilla, .config/freerdp, .vnc, .cisco, .smbcredentials`,
      ),
      row('cookies that open the desktop', '.Xauthority, .ICEauthority, .dbus'),
      row(
        'wallets',
        `.bitcoin, .electrum, .ethereum, .monero, .litecoin, .config/solana, .config/Ledger Live,
         .config/Exodus, .near-credentials, .brownie, .foundry/keystores`,
      ),
    ],
  },
  {
    title: 'Browsers, mail and messages',
    rows: [
      row(
        'passwords, cookies and history of browsers',
        `.mozilla, .config/google-chrome, .config/google-chrome-beta, .config/google-chrome-unstable,
         .config/chromium, .config/BraveSoftware, .config/microsoft-edge, .config/opera, .config/vivaldi,
         .librewolf, .zen, .floorp, .waterfox, .local/share/torbrowser, .local/share/epiphany,
         .config/qutebrowser, .local/share/qutebrowser`,
      ),
      row('data of sandboxed applications, browsers among them', '.var/app, snap'),
      row(
        'data of applications of macOS, browsers among them',
        `Library/Application Support, Library/Containers, Library/Group Containers, Library/Cookies,
         Library/Safari, Library/Mail, Library/Messages`,
      ),
      row(
        'mail and passwords for it',
        `.thunderbird, .config/evolution, .local/share/evolution, .config/geary, .local/share/geary,
         .claws-mail, .mutt, .muttrc, .config/mutt, .config/neomutt, .msmtprc, .config/msmtp, .mbsyncrc,
         .offlineimaprc, .fetchmailrc, .config/aerc, .config/himalaya, .config/goa-1.0, Mail, Maildir`,
      ),
      row(
        'messages and sessions of messengers',
        `.purple, .config/Signal, .config/Slack, .config/discord, .config/Element,
         .local/share/TelegramDesktop, .config/Microsoft, .config/teams-for-linux, .zoom, .weechat,
         .config/weechat, .irssi, .config/skypeforlinux`,
      ),
      row(
        'sessions of other applications',
        `.config/Nextcloud, .dropbox, .config/syncthing, .local/state/syncthing, .config/obsidian,
         .config/Notion`,
      ),
    ],
  },
  {
    title: 'Coding agents and editors',
    rows: [
      row(
        'login of Claude Code, its conversations, and the instructions of its agents',
        `.claude.json, .claude/.credentials.json, .claude/projects, .claude/agents, .claude/history.jsonl,
         .claude/file-history, .claude/paste-cache, .claude/shell-snapshots, .claude/session-env,
         .claude/todos, .config/Claude`,
      ),
      row('logins and sessions of OpenCode', '.local/share/opencode, .local/state/opencode'),
      row(
        'login and sessions of Codex',
        `.codex/auth.json, .codex/history.jsonl, .codex/sessions, .codex/archived_sessions, .codex/log`,
      ),
      row(
        'login and sessions of Gemini',
        `.gemini/oauth_creds.json, .gemini/google_accounts.json, .gemini/mcp-oauth-tokens.json,
         .gemini/mcp-oauth-tokens-v2.json, .gemini/.env, .gemini/tmp, .gemini/history`,
      ),
      row('login and sessions of Qwen Code', '.qwen/oauth_creds.json, .qwen/.env, .qwen/tmp'),
      row('login and sessions of Copilot', '.config/github-copilot, .copilot'),
      row('sessions of Cursor', '.cursor/chats, .cursor/projects, .config/cursor'),
      row(
        'keys and sessions of other agents',
        `.openai, .anthropic, .local/share/amazon-q, .local/share/kiro-cli, .aider, .aider.conf.yml,
         .aider.chat.history.md, .aider.input.history, .config/goose, .local/share/goose, .config/crush,
         .local/share/crush, .continue, .codeium, .tabnine, .factory, .grok, .config/amp, .local/share/amp,
         .cline, .config/io.datasette.llm, .config/aichat, .config/shell_gpt, .config/fabric, .config/mods,
         .ollama/id_ed25519, .lmstudio`,
      ),
      row(
        'sessions, tokens and local history of editors',
        `.config/Code, .config/Code - Insiders, .config/Code - OSS, .config/VSCodium, .config/Cursor,
         .config/Windsurf, .config/Kiro, .vscode-server/data, .cursor-server/data, .config/JetBrains,
         .local/share/JetBrains, .local/share/zed, .config/sublime-text/Local`,
      ),
    ],
  },
  {
    title: 'Histories',
    rows: [
      row(
        'commands typed in shells, passwords among them',
        `.bash_history, .bash_sessions, .zsh_history, .zsh_sessions, .zhistory, .histfile, .history,
         .sh_history, .ash_history, .ksh_history, .mksh_history, .local/share/fish/fish_history,
         .config/nushell/history.txt, .config/nushell/history.sqlite3, .local/share/powershell/PSReadLine,
         .local/share/xonsh, .local/share/atuin, .local/share/mcfly`,
      ),
      row(
        'lines typed in interpreters and debuggers',
        `.python_history, .ipython/profile_default/history.sqlite, .node_repl_history, .irb_history,
         .pry_history, .local/share/pry, .ghc/ghci_history, .scala_history, .php_history, .config/psysh,
         .Rhistory, .octave_hist, .julia/logs, .cache/erlang-history, .gdb_history, .lldb`,
      ),
      row(
        'statements typed to databases',
        `.psql_history, .mysql_history, .mariadb_history, .sqlite_history, .duckdb_history, .rediscli_history,
         .dbshell, .mongodb, .usql_history, .mycli-history, .mycli.log, .config/pgcli, .config/litecli,
         .clickhouse-client-history, .influx_history, .cassandra`,
      ),
      row(
        'what was opened, searched and visited',
        `.lesshst, .local/state/lesshst, .viminfo, .vim/.netrwhist, .local/state/nvim,
         .local/share/nvim/shada, .local/state/vim, .nano_history, .local/share/nano, .emacs.d/recentf,
         .wget-hsts, .units_history, .tig_history, .lftp, .local/share/lftp, .local/share/zoxide,
         .local/share/mc/history`,
      ),
      row(
        'what the desktop remembers',
        `.local/share/recently-used.xbel, .xsession-errors, .xsession-errors.old, .local/share/gvfs-metadata,
         .local/share/Trash, .cache/thumbnails, .local/share/klipper`,
      ),
    ],
  },
]
