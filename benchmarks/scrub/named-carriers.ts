import { labelledCase, readMarks, type Case } from './case.ts'
import { markedValue } from './kinds.ts'
import { fill, pick, randomFor } from './recipes.ts'

const json = (value: unknown): string => JSON.stringify(value)

/** Values at `§` that only their name identifies as secrets, in syntax that obscures where either ends. */
const texts: Readonly<Record<string, string>> = {
  'json-in-json': json({ body: json({ user: 'app', password: '§', ttl: 60 }) }),
  'json-in-json-in-json': json({ log: json({ body: json({ client_secret: '§', n: 1 }) }) }),
  'json-spaced': '{ "user" : "app" , "password" : "§" }',
  'json-nested-object': json({ database: { credentials: { user: 'app', password: '§' } } }),
  'json-lines-log': `${json({ t: 1 })}\n${json({ t: 2, ctx: { secretKey: '§' } })}\n`,
  'yaml-flow': 'db: {user: app, password: §, port: 5432}',
  'yaml-deep': 'a:\n  b:\n    c:\n      api_key: "§"\n',
  'yaml-next-line': 'password: >-\n  §\nport: 80\n',
  'toml-dotted': 'db.auth.password = "§"\n',
  'ini-spaced': 'password    =    §\n',
  'properties-colon': 'db.password: §\n',
  'xml-attribute': '<datasource user="app" password="§" pool="5"/>',
  'xml-element': '<db><user>app</user><password>§</password></db>',
  'xml-key-value': '<entry key="db.password">§</entry>',
  'xml-escaped': '&lt;password&gt;§&lt;/password&gt;',
  'html-input': '<input type="password" name="password" value="§">',
  'python-dict': "{'user': 'app', 'password': '§', 'port': 5432}",
  'python-call': "connect(host='db', user='app', password='§')",
  'python-dataclass': "Settings(user='app', secret_key='§', debug=False)",
  'ruby-hash': '{:user=>"app", :password=>"§"}',
  'ruby-symbol': 'password: "§", port: 1',
  'php-array': "'user' => 'app', 'password' => '§',",
  'php-define': "define('DB_PASSWORD', '§');",
  'perl-hash': 'password => q{§},',
  'go-struct': '{User:app Password:§ Port:5432}',
  'java-builder': '.username("app").password("§").build()',
  'java-setter': 'config.setPassword("§");',
  'csharp-property': 'Password = "§",',
  'rust-debug': 'Config { user: "app", password: "§" }',
  'js-object': "{ user: 'app', password: '§' }",
  'js-assignment': "config.auth.clientSecret = '§';",
  'js-fallback': "const secret = process.env.SECRET || '§'",
  'env-fallback-python': 'SECRET = os.environ.get("SECRET", "§")',
  'shell-default': 'PASSWORD=${PASSWORD:-§}',
  'shell-option': 'app --user app --password § --port 80',
  'shell-option-equals': 'app --client-secret=§ --port 80',
  'docker-run': 'docker run -e POSTGRES_PASSWORD=§ -p 5432:5432 postgres',
  'docker-env-json': '["POSTGRES_USER=app","POSTGRES_PASSWORD=§"]',
  'kubernetes-env': '- name: DB_PASSWORD\n  value: "§"\n',
  'powershell-variable': '$Password = "§"\r\n',
  'powershell-secure-string': 'ConvertTo-SecureString "§" -AsPlainText -Force',
  'windows-set': 'set DB_PASSWORD=§\r\n',
  'sql-create-user': "CREATE USER app IDENTIFIED BY '§';",
  'sql-alter-role': "ALTER ROLE app WITH LOGIN PASSWORD '§';",
  'url-in-json': '{"url":"postgres:\\/\\/app:§@db:5432\\/shop"}',
  'url-in-xml': '<url>jdbc:mysql://db/shop?user=app&amp;password=§&amp;ssl=1</url>',
  'url-query': 'GET /login?user=app&password=§&next=/ HTTP/1.1',
  'form-body': 'grant_type=password&username=app&password=§',
  'multipart-body': 'Content-Disposition: form-data; name="password"\r\n\r\n§\r\n--x--',
  'connection-string': 'Server=db;Database=shop;User Id=app;Password=§;',
  'header-in-json': '{"headers":{"X-Api-Key":"§","Accept":"*/*"}}',
  'header-twice-escaped': json(json({ Authorization: 'Bearer §' })),
  'diff-added': '@@ -1 +1,2 @@\n user: app\n+password: §\n',
  'diff-changed': '-  "password": "§",\n+  "password": "x",\n',
  logfmt: 'level=debug user=app password=§ port=5432',
  'ansi-coloured': '\u001b[36mpassword\u001b[0m: \u001b[33m§\u001b[0m',
  'ansi-coloured-json': '\u001b[34m"password"\u001b[39m: \u001b[32m"§"\u001b[39m,',
  'terraform-map': 'environment = {\n  DB_PASSWORD = "§"\n}',
  'expect-script': 'expect "password:"\nsend "§\\r"\n',
  prose: 'The admin password is § until Monday.',
  'prose-colon': 'user: app, pw: §, then click log in',
  'markdown-table': '| user | password |\n|---|---|\n| app | § |\n',
  'csv-column': 'id,user,password\n1,app,§\n',
}

const values = ['{alnum:16}', '{password}', '{hex:32}', '{word:24}', '{alnum:12}', '{base64:43}=']

export function namedCarrierCases(): Case[] {
  return Object.entries(texts).flatMap(([unit, text]) => {
    const random = randomFor(`named-carriers/${unit}`)
    return Array.from({ length: 6 }, (_, index) => {
      const value = markedValue(pick(values, random), random)
      const filled = fill(text, random).replace('§', () => value)
      return labelledCase({ class: 'named-carriers', unit, variant: String(index) }, readMarks(filled))
    })
  })
}
