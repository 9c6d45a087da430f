/** Typical tool results, written or generated here: the same on every machine. */

export interface SampleCategory {
  readonly name: string
  readonly samples: readonly string[]
}

export type Random = () => number

/** A small seeded generator (mulberry32), so that every run measures the same texts. */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const samplesEach = 8
export const sampleChars = 6000

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const base64Letters = `${letters}${letters.toUpperCase()}${digits}+/`
const hexDigits = `${digits}abcdef`

const pick = <T>(random: Random, list: ArrayLike<T>): T => list[Math.floor(random() * list.length)] as T
const integer = (random: Random, below: number): number => Math.floor(random() * below)
const chars = (random: Random, from: string, length: number): string =>
  Array.from({ length }, () => pick(random, from)).join('')

/** Repeats `part` until the sample is long enough. */
function fill(part: () => string, separator: string): string {
  const parts: string[] = []
  for (let length = 0; length < sampleChars; length += parts.at(-1)?.length ?? 1) parts.push(part())
  return parts.join(separator)
}

const words = [
  ...'request response session worker queue cache index token budget agent policy server client config'.split(
    ' ',
  ),
  ...'handler parser buffer stream socket thread module project branch commit deploy cluster metric'.split(
    ' ',
  ),
]
const word = (random: Random): string => pick(random, words)
const camel = (random: Random): string => {
  const second = word(random)
  return `${pick(random, ['get', 'set', 'parse', 'find', 'make', 'is'])}${second.charAt(0).toUpperCase()}${second.slice(1)}`
}
const time = (random: Random): string => new Date(1_790_000_000_000 + integer(random, 1e9)).toISOString()
const address = (random: Random): string => Array.from({ length: 4 }, () => integer(random, 256)).join('.')
const uuid = (random: Random): string =>
  [8, 4, 4, 4, 12].map((length) => chars(random, hexDigits, length)).join('-')

const english = `
The harbour wakes before the town does. By five the first boats have come back, and the gulls follow them in, loud and certain that something will be thrown away.
Nobody who works here would call it beautiful, but nobody would move the bench that faces the water either.
A good error message tells you what happened, where it happened, and what you can do about it; most messages manage only the first.
When the river rose for the third time that spring, the council finally voted for the wall, although the money for it had been spent twice already.
She had learned to read maps from her grandfather, who believed that a landscape is an argument between water and stone, and that water always wins if you wait.
Software ages differently from bridges: nothing rusts, yet after ten years nobody dares to touch the part that everything stands on.
We measured the temperature every hour for six weeks, and the only pattern that survived was the one we had hoped to disprove.
If you must choose between a clever design and a boring one, choose the one your successor can explain at three in the morning.
The committee's report ran to four hundred pages, of which the important sentence, as usual, stood in a footnote on page 312.
It's easy to say that the machine doesn't understand what it's doing; it's harder to say what we'd have to see before we believed that it did.`
const german = `
Der Zug hatte Verspätung, wie jeden Morgen, und niemand auf dem Bahnsteig schien sich noch darüber zu ärgern.
Die Geschwindigkeitsbegrenzung auf der Umgehungsstraße gilt nur außerhalb der Schulferien, was auf dem Schild leider nicht steht.
Wer eine Zwischenablage verwendet, sollte bedenken, dass auch andere Anwendungen darauf zugreifen können.
Im Handwerk gilt eine einfache Regel: Zweimal messen, einmal schneiden, und das Werkzeug hinterher wieder aufräumen.
Über die Höhe der Entschädigung entscheidet das zuständige Landgericht, sofern sich die Beteiligten nicht außergerichtlich einigen.`
const french = `
Le marché s'installe à l'aube, quand les rues sont encore mouillées et que les chats règnent sur les trottoirs.
On n'écrit jamais un programme deux fois de la même manière, et c'est sans doute pour cela qu'on aime recommencer.
Malgré les prévisions, l'été fut frais ; les vendanges commencèrent avec trois semaines de retard.
L'administrateur doit vérifier que les autorisations accordées correspondent réellement aux besoins de chaque équipe.`
const russian = `
Поезд пришёл рано утром, и на платформе ещё никого не было, кроме двух собак и дворника.
Чтобы понять, почему программа работает медленно, сначала нужно измерить, а не гадать.
Зима в этом году началась поздно, зато снег лежал до самого апреля.
Пользователь может изменить настройки в любое время, но новые значения вступят в силу после перезапуска.`
const chinese = `
清晨的港口还笼罩在薄雾里,第一批渔船已经回来了,海鸥跟在后面叫个不停。
写程序最难的部分不是让它运行,而是让后来的人看得懂它为什么这样运行。
这座城市的图书馆建于一百年前,经历过两次大火,如今仍然每天开放到晚上九点。
如果服务器没有响应,请先检查网络连接和防火墙设置,然后再联系管理员。
我们每小时记录一次温度,连续记录了六个星期,结果与最初的假设完全相反。`
const japanese = `
朝の港はまだ霧に包まれていて、最初の船が戻ってくるころには、かもめの声だけが聞こえていた。
良いエラーメッセージは、何が起きたのか、どこで起きたのか、そして何をすればよいのかを教えてくれる。
この設定を変更すると、すべてのユーザーに影響しますので、事前に管理者へ確認してください。
祖父は地図の読み方を教えてくれた。地形とは水と石の長い議論なのだ、と彼はよく言っていた。`
const korean = `
아침 항구는 아직 안개에 싸여 있었고, 첫 배가 돌아올 때쯤 갈매기 소리만 들렸다.
좋은 오류 메시지는 무엇이, 어디서 일어났는지, 그리고 무엇을 해야 하는지를 알려 준다.
설정을 변경하면 모든 사용자에게 영향을 주므로 먼저 관리자에게 확인하십시오.
우리는 여섯 주 동안 매시간 온도를 기록했지만 결과는 처음의 가설과 달랐다.`

const typescript = `
export interface QueueOptions { readonly limit: number; readonly onDrop?: (item: Job) => void }
export function createQueue<T extends Job>({ limit, onDrop }: QueueOptions): Queue<T> {
  const waiting: T[] = []
  let running = 0
  const next = async (): Promise<void> => {
    if (running >= limit || waiting.length === 0) return
    const job = waiting.shift()
    if (job === undefined) return
    running += 1
    try {
      await job.run({ signal: AbortSignal.timeout(30_000) })
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error
    } finally {
      running -= 1
      void next()
    }
  }
  return { push: (job) => (waiting.length < 1000 ? waiting.push(job) : onDrop?.(job)), size: () => waiting.length }
}
const byName = new Map(users.map((user) => [user.name.toLowerCase(), { ...user, seenAt: Date.now() }]))
for (const [key, value] of Object.entries(process.env)) if (key.startsWith('APP_')) settings[key.slice(4)] = value ?? ''
if (!/^[a-z][a-z0-9_-]{2,31}$/.test(name)) throw new RangeError(\`not a valid name: \${JSON.stringify(name)}\`)`
const python = `
class Ledger:
    """Keeps balances per account; amounts are integers in cents."""
    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._lock = threading.RLock()
    def transfer(self, source: str, target: str, amount: int) -> None:
        if amount <= 0:
            raise ValueError(f"amount must be positive, got {amount!r}")
        with self._lock:
            if self.balance(source) < amount:
                raise InsufficientFunds(source)
            self._entries[source].append(Entry(-amount, time.time_ns()))
            self._entries[target].append(Entry(amount, time.time_ns()))
    def balance(self, account: str) -> int:
        return sum(entry.amount for entry in self._entries.get(account, ()))
rows = [row for row in csv.DictReader(handle, delimiter=";") if row["status"] != "void"]
np.testing.assert_allclose(model.predict(x_test[:10]), expected, rtol=1e-5, atol=1e-8)
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))`
const go = `
func (s *Store) Put(ctx context.Context, key string, value []byte) error {
	if len(key) == 0 {
		return fmt.Errorf("put: %w", ErrEmptyKey)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, insertQuery, key, value, time.Now().UnixMilli()); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}
type Option func(*config)
func WithTimeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }
for i := range workers {
	go func() { defer wg.Done(); process(ctx, jobs[i]) }()
}`
const sql = `
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), total_cents INTEGER CHECK (total_cents >= 0));
SELECT c.name, COUNT(*) AS orders, SUM(o.total_cents) / 100.0 AS total FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name HAVING COUNT(*) > 3 ORDER BY total DESC LIMIT 20;
UPDATE accounts SET locked_at = CURRENT_TIMESTAMP WHERE failed_logins >= 5 AND locked_at IS NULL;
CREATE INDEX orders_by_customer ON orders (customer_id, created_at DESC) WHERE cancelled_at IS NULL;`
const shell = `
set -euo pipefail
for file in "$HOME"/projects/*/package.json; do jq -r '.name + "@" + .version' "$file"; done | sort -u > /tmp/names.txt
docker run --rm -it -v "$PWD:/work" -w /work -e NODE_ENV=production node:22-slim npm ci --omit=dev
find . -name '*.log' -mtime +7 -print0 | xargs -0 rm -f --
curl -fsS "https://api.example.com/v1/items?limit=50" -H "Accept: application/json" | jq '.items[] | {id, name}'
[ -f .env ] && export $(grep -v '^#' .env | xargs)`
const markdown = `
# Deploying the service
## Before you start
- [x] The database is **backed up** (see [the guide](../guides/backup.md#restore))
- [ ] \`npm run check\` passes on \`main\`
1. Build the image: \`docker build -t registry.example.com/team/service:1.4.2 .\`
2. Roll it out with \`kubectl rollout restart deploy/service\` and watch the *ready* count.
| key | default | meaning |
|-----|---------|---------|
| \`http.port\` | \`7391\` | where it listens |
> **Note**: a failed health check stops the roll-out after 30 seconds.
Most failures are one of three: the port is taken, the token has expired, or the disk is full.`
const diff = `
diff --git a/src/queue.ts b/src/queue.ts
index 3f1c2ab..9d02e7c 100644
--- a/src/queue.ts
+++ b/src/queue.ts
@@ -14,7 +14,9 @@ export function createQueue(limit: number) {
   const waiting: Job[] = []
-  const push = (job: Job) => waiting.push(job)
+  const push = (job: Job): boolean => {
+    return waiting.length < limit && waiting.push(job) > 0
+  }
   return { push }`

/** The lines of a text in random order, repeated until the sample is long enough. */
const shuffled =
  (text: string, separator = '\n') =>
  (random: Random): string => {
    const lines = text.trim().split('\n')
    return fill(() => pick(random, lines), separator)
  }

const record = (random: Random) => ({
  id: integer(random, 100_000),
  name: `${word(random)}-${word(random)}`,
  email: `${word(random)}.${word(random)}@example.com`,
  active: random() < 0.5,
  score: Math.round(random() * 10_000) / 100,
  tags: [word(random), word(random)],
  createdAt: time(random),
  parent: random() < 0.3 ? null : uuid(random),
})

const generators: Readonly<Record<string, (random: Random) => string>> = {
  'English prose': shuffled(english, ' '),
  'German, French': (random) => shuffled(random() < 0.5 ? german : french, ' ')(random),
  Russian: shuffled(russian, ' '),
  Chinese: shuffled(chinese, ''),
  Japanese: shuffled(japanese, ''),
  Korean: shuffled(korean, ' '),
  Markdown: shuffled(markdown),
  TypeScript: shuffled(typescript),
  Python: shuffled(python),
  Go: shuffled(go),
  'SQL, shell': (random) => shuffled(random() < 0.5 ? sql : shell)(random),
  'Minified code': (random) =>
    fill(() => {
      const [a, b, c] = [pick(random, letters), pick(random, letters), pick(random, letters)]
      return pick(random, [
        `function ${a}(${b},${c}){return ${b}.${camel(random)}(${c}[${integer(random, 40)}])}`,
        `var ${a}=${b}?${c}.${word(random)}:!${integer(random, 2)},${c}=${a}.length;`,
        `for(let ${a}=0;${a}<${b}.length;${a}++)${c}+=${b}[${a}].${camel(random)};`,
        `if(${a}&&"${word(random)}"===${b}.type)return void ${c}.${camel(random)}();`,
      ])
    }, ''),
  Diff: shuffled(diff),
  'JSON, compact': (random) => fill(() => JSON.stringify(record(random)), ','),
  'JSON, indented': (random) => fill(() => JSON.stringify(record(random), null, 2), ',\n'),
  'Log lines': (random) =>
    fill(
      () =>
        `${time(random)} ${pick(random, ['INFO', 'WARN', 'ERROR', 'DEBUG'])} [${word(random)}-${integer(random, 32)}] ` +
        `${word(random)} ${word(random)} id=${chars(random, hexDigits, 16)} status=${pick(random, [200, 404, 500])} ` +
        `from=${address(random)} took=${(random() * 500).toFixed(2)}ms`,
      '\n',
    ),
  'Stack traces': (random) =>
    fill(
      () =>
        `    at ${camel(random)} (file:///srv/app/dist/${word(random)}/${word(random)}.js:${integer(random, 900)}:${integer(random, 90)})`,
      '\n',
    ),
  'File listings': (random) =>
    fill(
      () =>
        `-rw-r--r-- 1 app app ${String(integer(random, 1e6)).padStart(8)} Nov ${10 + integer(random, 19)} 0${integer(random, 10)}:` +
        `${10 + integer(random, 49)} src/${word(random)}/${word(random)}-${word(random)}.${pick(random, ['ts', 'json', 'md', 'py'])}`,
      '\n',
    ),
  'Numbers, CSV': (random) =>
    fill(
      () =>
        [
          integer(random, 1e5),
          (random() * 1000).toFixed(3),
          (random() - 1).toFixed(6),
          word(random),
          time(random).slice(0, 10),
        ].join(','),
      '\n',
    ),
  UUIDs: (random) => fill(() => uuid(random), '\n'),
  Hex: (random) => chars(random, hexDigits, sampleChars),
  Base64: (random) => chars(random, base64Letters, sampleChars),
  Emoji: (random) =>
    fill(
      () => `${pick(random, ['✅', '❌', '🚀', '🔥', '⚠️', '📦', '👩‍💻', '🇩🇪', '🧪'])} ${word(random)}`,
      '\n',
    ),
}

export function tokenSamples(): SampleCategory[] {
  return Object.entries(generators).map(([name, generate], index) => {
    const random = seeded(index + 1)
    return { name, samples: Array.from({ length: samplesEach }, () => generate(random)) }
  })
}
