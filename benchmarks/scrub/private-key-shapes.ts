export interface KeyLine {
  readonly text: string
  readonly secret: boolean
}

export type KeyShape = (lines: readonly KeyLine[]) => string

const marked = ({ text, secret }: KeyLine): string => (secret ? `«${text}»` : text)

const joined =
  (separator: string, before = '', after = ''): KeyShape =>
  (lines) =>
    before + lines.map(marked).join(separator) + after

const eachLine =
  (prefix: (index: number) => string, suffix = '\n', before = '', after = ''): KeyShape =>
  (lines) =>
    before + lines.map((line, index) => prefix(index) + marked(line) + suffix).join('') + after

/** Keys in files, logs and messages. */
export const keyShapes: Readonly<Record<string, KeyShape>> = {
  plain: eachLine(() => ''),
  'in-command-output': eachLine(() => '', '\n', '$ cat ~/.ssh/id_rsa\n', '$ '),
  crlf: eachLine(() => '', '\r\n'),
  indented: eachLine(() => '    '),
  'tab-indented': eachLine(() => '\t'),
  'trailing-spaces': eachLine(() => '', '  \n'),
  'double-spaced': eachLine(() => '', '\n\n'),
  'escaped-newlines': joined('\\n', '"', '\\n"'),
  'escaped-newlines-twice': joined('\\\\n', '"{\\"key\\":\\"', '\\\\n\\"}"'),
  'escaped-crlf': joined('\\r\\n', '"', '\\r\\n"'),
  'json-field': joined('\\n', '{"id":1,"key":"', '\\n","on":true}'),
  'json-lines-array': eachLine(() => '    "', '",\n', '{"key": [\n', '    ""\n]}'),
  'env-escaped': joined('\\n', 'PRIVATE_KEY="', '"\nPORT=80\n'),
  'env-multi-line': joined('\n', 'PRIVATE_KEY="', '"\nPORT=80\n'),
  'env-single-quotes': joined('\n', "export KEY='", "'\n"),
  'yaml-block': eachLine(() => '  ', '\n', 'key: |\n', 'port: 80\n'),
  'yaml-block-deep': eachLine(() => '          ', '\n', 'data:\n  tls:\n    key: |-\n', 'kind: Secret\n'),
  'yaml-double-quoted': joined('\\n\\\n    ', 'key: "', '"\n'),
  numbered: eachLine((index) => `${String(index + 1).padStart(6)}\t`),
  'numbered-with-arrow': eachLine((index) => `${String(index + 1).padStart(5)}→`),
  'numbered-with-colon': eachLine((index) => `${index + 1}: `),
  'numbered-with-bar': eachLine((index) => `${String(index + 1).padStart(3)} | `),
  'grep-lines': eachLine((index) => `config/key.pem:${index + 1}:`),
  'git-blame': eachLine(
    (index) => `^1a2b3c4 (Ann 2026-01-02 03:04:05 +0000 ${String(index + 1).padStart(2)}) `,
  ),
  'diff-added': eachLine(() => '+', '\n', '--- /dev/null\n+++ b/key.pem\n@@ -0,0 +1,27 @@\n'),
  'diff-removed': eachLine(() => '-', '\n', '--- a/key.pem\n+++ /dev/null\n@@ -1,27 +0,0 @@\n'),
  'diff-context': eachLine(() => ' ', '\n', '@@ -1,27 +1,28 @@\n', '+new\n'),
  'diff-of-yaml': eachLine(() => '+    ', '\n', '@@ -1,2 +1,30 @@\n key: |\n'),
  'mail-quoted': eachLine(() => '> '),
  commented: eachLine(() => '# '),
  'slash-commented': eachLine(() => '// '),
  'star-commented': eachLine(() => ' * ', '\n', '/*\n', ' */\n'),
  'markdown-fence': eachLine(() => '', '\n', '```\n', '```\n'),
  'one-line-spaces': joined(' '),
  'one-line-glued': joined(''),
  'one-line-commas': joined(','),
  'js-concatenated': eachLine(() => "  '", "\\n' +\n", 'const key =\n', "  ''\n"),
  'js-array': eachLine(() => "  '", "',\n", 'const key = [\n', "].join('\\n')\n"),
  'python-concatenated': eachLine(() => '    "', '\\n"\n', 'KEY = (\n', ')\n'),
  'c-string': eachLine(() => '  "', '\\n"\n', 'static const char *key =\n', '  ;\n'),
  'java-concatenated': eachLine(() => '        + "', '\\n"\n', 'String key = ""\n', ';\n'),
  'python-triple-quotes': eachLine(() => '', '\n', 'KEY = """', '"""\n'),
  'python-bytes': joined('\\n', "b'", "\\n'"),
  'go-raw-string': joined('\n', 'const key = `', '`\n'),
  'php-heredoc': eachLine(() => '', '\n', '$key = <<<EOD\n', 'EOD;\n'),
  'shell-heredoc': eachLine(() => '', '\n', 'cat > key.pem <<EOF\n', 'EOF\n'),
  'shell-echo': eachLine(() => 'echo "', '" >> key.pem\n'),
  'terraform-heredoc': eachLine(() => '    ', '\n', 'private_key = <<-EOT\n', '  EOT\n'),
  'terraform-output': joined('\\n', '+ private_key_pem = "', '\\n"\n'),
  'compose-log': eachLine(() => 'web-1  | '),
  'timestamped-log': eachLine((index) => `2026-01-02T03:04:05.${String(100 + index)}Z `),
  syslog: eachLine(() => 'Jan  2 03:04:05 web-1 app[123]: '),
  'kubectl-log': eachLine(() => '[pod/web-1/app] '),
  'xml-element': joined('\n', '<key>', '</key>'),
  'xml-line-references': joined('&#10;', '<key value="', '"/>'),
  'html-breaks': joined('<br>\n', '<pre>', '</pre>'),
  'csv-cell': joined('\n', 'id,key\n1,"', '"\n'),
  'url-encoded': joined('%0A', 'key=', '%0A&x=1'),
  'sql-insert': joined('\n', "INSERT INTO k VALUES (1,'", "');\n"),
  'psql-table': eachLine(() => ' ', '+\n', '  key\n-----\n'),
  'box-table': eachLine(() => '│ ', ' │\n', '┌──────┐\n', '└──────┘\n'),
  'ansi-coloured': eachLine(() => '\u001b[32m', '\u001b[0m\n'),
  'ini-continued': eachLine(() => '    ', '\n', '[tls]\nkey =\n', 'port = 80\n'),
  'dockerfile-run': joined('\\n\\\n', 'RUN printf "', '" > /key\n'),
  'openssl-bag': eachLine(
    () => '',
    '\n',
    'Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n',
  ),
  'after-prose': eachLine(() => '', '\n', 'Here is the key you asked for:\n\n', '\nBest, Ann\n'),
}
