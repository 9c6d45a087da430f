/** The demo environment: its own home, rules and project, in a temporary folder. */

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface DemoSet {
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  /** Generated for this run, and worthless. */
  readonly secret: string
  /** The files to search, and the name to find in one of them. */
  readonly sources: readonly string[]
  readonly searchTarget: string
  remove(): void
}

const rules = {
  agents: {
    coder: {
      allow: {
        servers: ['contextd'],
        capabilities: ['fs:read:**', 'shell:exec', 'memory:read', 'memory:write'],
      },
    },
    searcher: {
      allow: { servers: ['contextd'], capabilities: ['fs:read:**', 'memory:read', 'memory:write'] },
    },
    reviewer: {
      allow: { servers: ['contextd'], tools: { contextd: ['safe_read'] }, capabilities: ['fs:read:**'] },
      deny: { tools: { contextd: ['safe_bash'] } },
      justification: 'reviewers read and run nothing',
    },
  },
}

const areas = [
  'accounts',
  'billing',
  'carts',
  'delivery',
  'exports',
  'orders',
  'payments',
  'returns',
] as const
const searchTarget = 'retryLimit'

export function buildSet(env: NodeJS.ProcessEnv): DemoSet {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ctxd-demo-')))
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true, mode: 0o700 })
    writeFileSync(join(root, file), text, { mode: 0o600 })
  }
  try {
    const letters = randomBytes(90)
      .toString('base64')
      .replaceAll(/[^A-Za-z0-9]/g, '')
    const secret = `ghp_${letters.slice(0, 36)}`
    write('home/config/rules.json', JSON.stringify(rules, null, 2))
    write('home/config/config.toml', '[log]\nlevel = "error"\n')
    write('project/deploy.log', `pushing to the registry\nGITHUB_TOKEN=${secret}\nrelease 1.4.2 is out\n`)
    for (const area of areas) write(`project/src/${area}.js`, sourceOf(area))
    return {
      project: join(root, 'project'),
      env: { PATH: env.PATH, HOME: join(root, 'home'), CONTEXTD_HOME: join(root, 'home') },
      secret,
      sources: areas.map((area) => `src/${area}.js`),
      searchTarget,
      remove: () => rmSync(root, { recursive: true, force: true }),
    }
  } catch (error) {
    rmSync(root, { recursive: true, force: true })
    throw error
  }
}

const verbs = [
  'open',
  'check',
  'change',
  'close',
  'list',
  'count',
  'merge',
  'move',
  'print',
  'send',
  'store',
  'undo',
]

/** A shop module, long enough that nobody wants eight of them in a context. */
function sourceOf(area: string): string {
  const functions = verbs.map((verb) =>
    [
      `/** Lets a customer ${verb} what belongs to ${area}; throws where the shop is closed. */`,
      `export async function ${verb}${area[0]?.toUpperCase()}${area.slice(1)}(shop, id) {`,
      `  const found = await shop.${area}.find(id)`,
      `  if (found === undefined) throw new Error('there is nothing of that id in ${area}')`,
      `  return shop.${area}.save({ ...found, state: '${verb}' })`,
      '}',
    ].join('\n'),
  )
  const limit = area === 'payments' ? [`export const ${searchTarget} = 7`] : []
  return `${[...limit, ...functions].join('\n\n')}\n`
}
