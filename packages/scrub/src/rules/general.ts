/** Secrets that no provider issues: tokens in open formats, and passwords in files and commands. */

import { shape, token, word, type SecretRule } from './rule.ts'

/** A password argument, plain or quoted. */
const argument = String.raw`\\?["']?(?<secret>[^\s"'\\$<[{(-][^\s"'\\|;&]{2,128})`

/** Programs, and the option that precedes the password on their command line. */
const passwordArguments: readonly (readonly [programs: readonly string[], flag: string])[] = [
  [['sshpass'], String.raw`-p ?`],
  [['mysql', 'mariadb'], '-p'],
  [['redis-cli'], '-a '],
  [['mongo', 'psexec', 'docker login', 'podman login', 'helm registry login', 'skopeo login'], '-p '],
  [['plink', 'pscp', 'winexe', 'smbclient', 'rdesktop', 'sqlcmd', 'bcp '], '-(?:pw|p|P) '],
  [['xfreerdp'], '/p:'],
  [['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapwhoami'], '-w '],
  [['unzip ', 'zip -'], '-P '],
  [['7z '], '-p'],
  [['openssl'], String.raw`-pass(?:in|out|word)? pass:`],
]

const afterFlag = passwordArguments.map(
  ([programs, flag]) => String.raw`(?:${programs.join('|')})[^\n|;]{0,200}?\s${flag}`,
)

/** Prefixes that no word has. Random text after one is a token, even in a length that its issuer has not used yet. */
const knownPrefixes: readonly string[] = (
  'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glcbt- xoxa- xoxb- xoxc- xoxd- ' +
  'xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp- sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1- ' +
  'sk_live_ sk_test_ rk_live_ rk_test_ npm_ pypi- dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ ' +
  'shpss_ dckr_pat_ glsa_ lin_api_ figd_ sntrys_ sntryu_ tskey- nvapi- pplx- whsec_ GOCSPX- PMAK- ' +
  'sq0atp- sq0csp- ATATT3 ATCTT3 AGE-SECRET-KEY- hvs. hvb. rubygems_ sbp_ pul- dapi'
).split(' ')

export const generalRules: readonly SecretRule[] = [
  token(
    'jwt',
    'JSON Web Token, signed or encrypted',
    'eyJ',
    String.raw`[A-Za-z0-9_=-]{8,4000}\.[A-Za-z0-9_=-]{8,4000}(?:\.[A-Za-z0-9_=-]{0,4000}){0,3}`,
  ),

  token(
    'known-prefix',
    'Token with a known beginning, in a form of its own',
    knownPrefixes,
    '[A-Za-z0-9_-]{0,8}[A-Za-z0-9_.-]{16,512}',
    { random: true },
  ),
  token('contextd-agent-token', 'Agent token of contextd', 'ctxd_', `${word(11)}_${word(43)}`),
  token('contextd-model-key', "Key of contextd's model door", 'ctxm_', `${word(11)}_${word(43)}`),
  shape(
    'password-hash',
    'Password hash as in a shadow file',
    [
      '$1$',
      '$2a$',
      '$2b$',
      '$2x$',
      '$2y$',
      '$5$',
      '$6$',
      '$7$',
      '$y$',
      '$gy$',
      '$argon2',
      '$apr1$',
      '$pbkdf2',
      '$8$',
      '$9$',
      '$14$',
    ],
    String.raw`(?<secret>\$(?:1|apr1|5|6|7|8|9|14|y|gy)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./+$]{1,64}\$[A-Za-z0-9./]{16,128}|\$2[abxy]\$\d\d\$[A-Za-z0-9./]{53}|\$argon2(?:id|i|d)\$[A-Za-z0-9$=,+/]{30,300}|\$pbkdf2-[a-z0-9]{3,8}\$[A-Za-z0-9$./+=,-]{20,300})`,
    0,
  ),
  shape(
    'netrc-credentials',
    'Password in a .netrc',
    ['machine ', 'machine\t', 'default login'],
    String.raw`(?:machine\s{1,8}\S{1,255}|default)\s{1,40}(?:(?:login|account|port)\s{1,8}\S{1,255}\s{1,40}){0,3}(?:password|passwd)\s{1,8}(?<secret>[^\s"'\\]{3,255})`,
    0,
  ),

  shape(
    'pgpass-entry',
    'Password in a .pgpass',
    [':5432:', ':5433:', ':6432:', ':*:'],
    String.raw`:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?<secret>[^\s"':]{3,255})`,
    0,
  ),

  shape(
    'curl-auth-user',
    'Login given to curl, wget or HTTPie',
    ['curl ', 'wget ', 'http ', 'https ', 'xh '],
    String.raw`(?:curl|wget|https?|xh) [^\n]{0,300}?(?:-u|-U|-a|--user|--proxy-user|--auth)[ =]?\\?["']?[^\s"':$=]{1,128}:(?<secret>[^\s"'\\$][^\s"'\\]{2,255})`,
    0,
  ),

  shape(
    'password-argument',
    'Password on a command line',
    passwordArguments.flatMap(([programs]) => programs),
    `(?:${afterFlag.join('|')})${argument}`,
    0,
  ),

  shape(
    'wifi-password',
    'Passphrase of a wireless network',
    ['psk=', 'wifi:'],
    String.raw`(?:psk="?(?<secret>[^"\s]{8,64})|WIFI:[^\n]{0,60}?;P:[^;\n]{8,64};)`,
    0,
  ),
  shape(
    'json-web-key',
    'Private part of a JSON Web Key',
    ['"d":', '"d" :', '"p":', '"q":', '"dp":', '"dq":', '"qi":', '"k":'],
    String.raw`"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9_-]{43,2048})"`,
    0,
    { random: true },
  ),

  shape(
    'rsa-key-value',
    'Private part of an XML RSA key',
    ['<d>', '<p>', '<q>', '<inverseq>', '<dp>', '<dq>'],
    String.raw`<(?:D|P|Q|DP|DQ|InverseQ)>(?<secret>[A-Za-z0-9+/=\s]{40,2048})</`,
    0,
  ),
  shape(
    'terraform-random-password',
    'Password made by Terraform, in its state',
    '"random_password"',
    String.raw`"random_password"[^{}]{0,400}\{[^{}]{0,200}\{[^{}]{0,400}"result"\s{0,2}:\s{0,2}"(?<secret>[^"\n]{4,256})"`,
    0,
  ),
  shape(
    'terraform-variable-default',
    'Default of a secret variable of Terraform',
    'variable "',
    String.raw`variable "[\w-]{0,30}(?:password|passwd|secret|token|key)"\s{0,4}\{[^{}]{0,100}default\s{0,20}=\s{0,4}"(?<secret>[^"$\n]{4,256})"`,
    0,
  ),
  shape(
    'redis-password',
    'Password in a configuration of Redis',
    ['requirepass ', 'masterauth '],
    String.raw`(?:requirepass|masterauth)\s{1,8}"?(?<secret>[^\s"]{4,256})`,
    0,
  ),
  shape(
    'chpasswd-line',
    'Password piped to chpasswd',
    'chpasswd',
    String.raw`[\w.-]{1,32}:(?<secret>[^\s"'|:]{3,128})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd`,
    180,
  ),
  shape(
    'powershell-secure-string',
    'Password turned into a SecureString',
    'convertto-securestring',
    String.raw`[Cc]onvert[Tt]o-[Ss]ecure[Ss]tring\s{1,4}(?:-String\s{1,4})?["'](?<secret>[^"'$\n]{4,256})["']`,
    0,
  ),
  shape(
    'expect-password',
    'Password sent by an expect script',
    'expect ',
    String.raw`expect\s{1,4}\{?"?[^"\n]{0,40}(?:assword|assphrase)[^"\n]{0,8}"?\}?\s{0,80}(?:\{\s{0,80})?send(?:\s{1,4}--)?\s{1,4}"(?<secret>[^"\\$\n]{4,256})`,
    0,
  ),
  shape(
    'sql-password',
    'Password given to a user of a database',
    ['identified by', "password '", 'password = n'],
    String.raw`(?:IDENTIFIED BY|identified by|PASSWORD|password)(?: PASSWORD)?(?: = N)?\s{0,4}'(?<secret>[^'\n]{4,256})'`,
    0,
  ),
  shape(
    'go-database-source',
    'Password in the source name of a Go program',
    ['@tcp(', '@unix('],
    String.raw`[\w.-]{1,64}:(?<secret>[^\s"'@/:]{3,128})@(?:tcp|unix)\(`,
    200,
  ),
  shape(
    'oracle-login',
    'Password in an address of Oracle',
    ['jdbc:oracle:', 'sqlplus ', 'impdp ', 'expdp '],
    String.raw`(?:jdbc:oracle:\w{3,5}:|(?:sqlplus|impdp|expdp)\s{1,4})[\w$#.]{1,64}/(?<secret>[^\s"'@/]{3,128})@`,
    0,
  ),
  shape(
    'secret-from-literal',
    'Value of a secret made by kubectl',
    '--from-literal',
    String.raw`--from-literal[= ]["']?[\w.-]{1,64}=["']?(?<secret>[^\s"'$]{3,256})`,
    0,
  ),
  shape(
    'password-from-echo',
    'Password piped to a command',
    ['sudo -s', '--password-stdin', '--stdin'],
    String.raw`echo\s{1,4}(?:-n\s{1,4})?["']?(?<secret>[^\s"'|$<>]{4,128})["']?\s{0,4}\|[^\n|]{0,80}(?:sudo -S|--password-stdin|--stdin)`,
    240,
  ),
  shape(
    'temporary-password',
    'Password that a program has made',
    ['temporary password', 'initial password', 'default password', 'generated password', 'new password'],
    String.raw`(?:[Tt]emporary|[Ii]nitial|[Dd]efault|[Gg]enerated|[Nn]ew) password[^\n:=]{0,60}[:=]\s{1,4}["']?(?<secret>[^\s"']{6,64})`,
    0,
    { random: true },
  ),
  shape(
    'docker-auth',
    'Login in a Docker configuration',
    '"auth"',
    String.raw`"auth"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/]{8,2048}={0,2})"`,
    0,
  ),
  shape(
    'basic-auth',
    'Login in an HTTP Basic header',
    'basic ',
    String.raw`[Bb]asic\s{1,4}(?<secret>[A-Za-z0-9+/]{12,1024}={0,2})`,
    0,
    { random: true },
  ),
  shape(
    'bearer-token',
    'Bearer token in a header or sentence',
    'bearer ',
    String.raw`[Bb]earer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,2048}={0,2})`,
    0,
    { random: true },
  ),
]
