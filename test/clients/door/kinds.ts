/** Forty kinds of secrets as they stand in files of a project. Made when needed: nothing here is, or looks like, a credential. */

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'

/** One planted secret. */
export interface Planted {
  readonly kind: string
  /** In the project, shared by kinds that fit the same format. */
  readonly file: string
  /** What the file says, with the secret in it. */
  readonly text: string
  readonly secret: string
}

/** File, kind, and the recipe of the text; `«…»` is the secret. */
const recipes: readonly (readonly [file: string, kind: string, recipe: string])[] = [
  ['settings.env', 'github-pat', 'GITHUB_TOKEN=ghp_{alnum:36}'],
  ['settings.env', 'github-fine-grained', 'GH_PAT=github_pat_«11{upper:20}_{alnum:59}»'],
  ['settings.env', 'gitlab-pat', 'GITLAB_TOKEN=«glpat-{word:20}»'],
  ['settings.env', 'aws-key-id', 'AWS_ACCESS_KEY_ID=«AKIA{base32:16}»'],
  ['settings.env', 'aws-secret', 'AWS_SECRET_ACCESS_KEY=«{base64:40}»'],
  ['settings.env', 'stripe-secret', 'STRIPE_KEY=«sk_live_{alnum:24}»'],
  ['settings.env', 'stripe-webhook', 'STRIPE_WEBHOOK=«whsec_{alnum:32}»'],
  ['settings.env', 'npm-token', 'NPM_TOKEN=«npm_{alnum:36}»'],
  ['settings.env', 'sendgrid', 'SENDGRID=«SG.{word:22}.{word:43}»'],
  ['settings.env', 'env-password', 'DB_PASSWORD=«{alnum:18}»'],
  ['settings.env', 'database-url', 'DATABASE_URL=postgres://app:«{alnum:22}»@db.internal:5432/app'],
  ['settings.env', 'redis-url', 'REDIS_URL=redis://default:«{alnum:24}»@cache.internal:6379/0'],

  ['config.yaml', 'slack-bot', 'slack_token: «xoxb-{digits:12}-{digits:13}-{alnum:24}»'],
  [
    'config.yaml',
    'slack-webhook',
    'notify: https://hooks.slack.com/services/«T{upper:8}/B{upper:10}/{alnum:24}»',
  ],
  ['config.yaml', 'google-api', 'maps_key: «AIza{word:35}»'],
  ['config.yaml', 'google-oauth', 'client_secret: «GOCSPX-{word:28}»'],
  ['config.yaml', 'digitalocean', 'do_token: «dop_v1_{hex:64}»'],
  ['config.yaml', 'shopify', 'shop_token: «shpat_{hex:32}»'],
  ['config.yaml', 'telegram-bot', 'telegram_bot_token: "«{digits:10}:AA{word:33}»"'],
  ['config.yaml', 'yaml-password', 'password: "«{alnum:16}»"'],
  ['config.yaml', 'mongodb-url', 'mongo: mongodb+srv://svc:«{alnum:20}»@cluster0.example.net/prod'],

  ['client.ts', 'openai', "const openai = '«sk-proj-{word:74}T3BlbkFJ{word:74}»'"],
  ['client.ts', 'anthropic', "const anthropic = 'sk-ant-api03-«{word:93}AA»'"],
  ['client.ts', 'huggingface', "const hub = '«hf_{letters:34}»'"],
  ['client.ts', 'bearer', "const headers = { Authorization: 'Bearer «{word:48}»' }"],
  ['client.ts', 'basic-auth-url', "const feed = 'https://deploy:«{alnum:20}»@packages.example.com/simple'"],
  ['client.ts', 'databricks', "const warehouse = '«dapi{hex:32}»'"],
  ['client.ts', 'newrelic', "const newrelic = '«NRAK-{upper:27}»'"],
  ['client.ts', 'api-key-assignment', "const apiKey = '«{alnum:32}»'"],

  ['service.json', 'json-password', '"password": "«{alnum:20}»",'],
  ['service.json', 'json-escaped-password', '"admin_password": "«{alnum:8}/ä€{alnum:8}»",'],
  ['service.json', 'jwt', '"token": "«eyJ{alnum:33}.eyJ{word:60}.{word:43}»",'],
  ['service.json', 'azure-storage', '"AccountKey": "«{base64:86}==»",'],
  ['service.json', 'discord-webhook', '"hook": "https://discord.com/api/webhooks/{digits:18}/«{word:68}»",'],

  ['publish.toml', 'pypi', 'pypi = "pypi-AgEIcHlwaS5vcmc«{word:155}»"'],
  ['publish.toml', 'toml-password', 'password = "«{alnum:19}»"'],
  ['publish.toml', 'atlassian', 'jira = "ATATT3xFfGF0«{word:172}={HEX:8}»"'],
  ['publish.toml', 'gitlab-runner', 'runner = "«glrt-{word:20}»"'],

  ['deploy.pem', 'private-key', `${marker('BEGIN')}\n«${keyLines(12)}»\n${marker('END')}`],
  ['notes.md', 'curl-user', 'Try `curl -u admin:«{alnum:20}» https://ci.example.com/api` first.'],
]

/** In two parts, so that no scanner takes this file for a key. */
function marker(word: string): string {
  return ['-----', word, ' RSA PRIVATE', ' KEY-----'].join('')
}

function keyLines(count: number): string {
  return Array.from({ length: count }, () => '{base64:64}').join('\n')
}

/** The same in every run. */
export const planted: readonly Planted[] = recipes.map(([file, kind, recipe], index) => {
  const marked = recipe.includes('«') ? recipe : recipe.replace(/=(.*)$/, '=«$1»')
  const { text, secret } = makeSample(marked, seededRandom(1900 + index))
  return { kind, file, text, secret }
})

export const secretOf = (kind: string): string => planted.find((each) => each.kind === kind)!.secret

export const kindsIn = (...files: readonly string[]): string[] =>
  planted.filter(({ file }) => files.length === 0 || files.includes(file)).map(({ kind }) => kind)

/** What the files of a project say, by name. Each begins and ends with an ordinary line. */
export const plantedFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(new Set(planted.map(({ file }) => file)), (file) => {
    const lines = planted.filter((each) => each.file === file).map(({ text }) => text)
    return [file, `first line of ${file}\n${lines.join('\n')}\nlast line of ${file}\n`]
  }),
)
