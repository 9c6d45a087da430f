import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesGeneral: RuleSamples = {
  jwt: {
    secret: [
      'Set "id_token":"«eyJ{word:33}.eyJ{word:60}.{word:43}»"',
      'jwe «eyJ{word:60}.{word:40}.{word:16}.{word:80}.{word:22}»',
    ],
    clean: ['eyJ{word:33} and no second part', 'the header begins with eyJ'],
  },
  'contextd-agent-token': {
    secret: ['claude mcp add contextd --header "Authorization: Bearer «ctxd_{word:11}_{word:43}»"'],
    clean: ['ctxd_{word:11}', 'ctxd_agents_token_create'],
  },
  'contextd-model-key': {
    secret: ['ANTHROPIC_BASE_URL=http://127.0.0.1:7391/model/«ctxm_{word:11}_{word:43}»/anthropic'],
    clean: ['ctxm_{word:11}', 'ctxm_model_key_file'],
  },
  'known-prefix': {
    secret: ['ANTHROPIC_KEY «sk-ant-{alnum:40}»', 'hook «xoxb-{alnum:24}»'],
    clean: [
      'sk-ant-api03-your_own_key_goes_here',
      'npm_config_cache_directory_name',
      'pypi-package-name-with-many-words',
    ],
  },
  'password-hash': {
    secret: [
      'root:«$6${alnum:16}${alnum:86}»:19000:0:99999:7:::',
      'bob:«$y$j9T${alnum:22}${alnum:43}»:19000::::::',
      'admin:«$2y$10${alnum:53}»',
      'alice:«$apr1${alnum:8}${alnum:22}»',
      'hash = "«$argon2id$v=19$m=65536,t=3,p=4${base64:22}${base64:43}»"',
    ],
    clean: ['echo $1$2$3', 'cost $5$ or $6$', '$2a$10$short'],
  },
  'netrc-credentials': {
    secret: [
      'machine github.com login bob password «{alnum:12}»',
      'machine api.example.com\n  login bob\n  password «{alnum:12}»\n',
      'default login anonymous password «{alnum:12}»',
    ],
    clean: ['the machine asks for a password again', 'machine learning with a password manager'],
  },
  'pgpass-entry': {
    secret: ['db.example.com:5432:app:admin:«{alnum:14}»', '*:*:*:backup:«{alnum:14}»'],
    clean: ['listening on 0.0.0.0:5432: ok', 'a:*:b'],
  },
  'curl-auth-user': {
    secret: [
      'curl -s -u bob:«{alnum:12}» https://api.example.com',
      "curl --user 'bob:«{alnum:12}»' https://x",
    ],
    clean: ['curl -u bob https://api.example.com', 'curl -u "$USER:$PASSWORD" https://x'],
  },
  'password-argument': {
    secret: [
      'sshpass -p «{alnum:10}» ssh bob@host',
      'mysql -u root -p«{alnum:10}» shop',
      "redis-cli -h cache -a '«{alnum:10}»' ping",
      'docker login -u bob -p «{alnum:10}» registry.example.com',
      'openssl pkcs12 -in x.p12 -passin pass:«{alnum:10}»',
    ],
    clean: [
      'mysql -u root -p shop',
      'docker login -u bob --password-stdin',
      'mkdir -p build/output && mysql --version',
    ],
  },
  'wifi-password': {
    secret: ['network={\n  ssid="home"\n  psk="«{alnum:14}»"\n}'],
    clean: ['key_mgmt=WPA-PSK'],
  },
  'json-web-key': {
    secret: ['{"kty":"EC","crv":"P-256","d":"«{word:43}»","x":"{word:43}"}'],
    clean: ['{"d":"2026-01-02"}', '{"x":"{word:43}"}'],
  },
  'rsa-key-value': {
    secret: ['<RSAKeyValue><Modulus>{base64:172}</Modulus><D>«{base64:172}»</D></RSAKeyValue>'],
    clean: ['<p>A paragraph.</p>'],
  },
  'terraform-random-password': {
    secret: [
      '{"type": "random_password", "name": "db", "instances": [{"attributes": {"id": "none", "result": "«{alnum:16}»"}}]}',
    ],
    clean: ['resource "random_password" "db" { length = 16 }'],
  },
  'terraform-variable-default': {
    secret: ['variable "db_password" {\n  type = string\n  default = "«s3cret{alnum:4}»"\n}'],
    clean: [
      'variable "region" {\n  default = "eu-central-1"\n}',
      'variable "db_password" {\n  sensitive = true\n}',
    ],
  },
  'redis-password': {
    secret: ['requirepass «{alnum:12}»\n', 'masterauth «{alnum:12}»'],
    clean: ['# requirepass ', 'requirepass ""'],
  },
  'chpasswd-line': {
    secret: ['echo "root:«{alnum:8}»" | chpasswd', "echo 'bob:«{alnum:8}»' | sudo chpasswd"],
    clean: ['chpasswd < users.txt', 'echo "$USER" | chpasswd'],
  },
  'powershell-secure-string': {
    secret: ['ConvertTo-SecureString "«{alnum:12}»" -AsPlainText -Force'],
    clean: ['ConvertTo-SecureString $plain -AsPlainText', 'ConvertTo-SecureString -Key $key'],
  },
  'expect-password': {
    secret: [
      'expect "password:"\nsend "«{alnum:12}»\\r"',
      'expect "*assword*" { send -- "«{alnum:12}»\\r" }',
    ],
    clean: ['expect "password:"\nsend "$password\\r"', 'expect "login:"\nsend "{alnum:8}\\r"'],
  },
  'sql-password': {
    secret: ["CREATE USER 'bob'@'%' IDENTIFIED BY '«{alnum:12}»';", "ALTER ROLE bob PASSWORD '«{alnum:12}»'"],
    clean: ['IDENTIFIED BY ?', "SELECT password FROM users WHERE name = 'bob'"],
  },
  'go-database-source': {
    secret: ['dsn := "root:«{alnum:10}»@tcp(127.0.0.1:3306)/shop"'],
    clean: ['dsn := "root@tcp(127.0.0.1:3306)/shop"'],
  },
  'oracle-login': {
    secret: ['jdbc:oracle:thin:scott/«{alnum:8}»@db:1521:XE', 'sqlplus scott/«{alnum:8}»@db'],
    clean: ['jdbc:oracle:thin:@db:1521:XE', 'sqlplus /nolog'],
  },
  'secret-from-literal': {
    secret: ['kubectl create secret generic x --from-literal=pw=«{alnum:10}»'],
    clean: ['kubectl create secret generic x --from-literal=pw=$PW', '--from-file=pw=./pw'],
  },
  'password-from-echo': {
    secret: ['echo «{alnum:10}» | sudo -S ls', 'echo "«{alnum:24}»" | docker login -u bob --password-stdin'],
    clean: ['echo $PASSWORD | sudo -S ls', 'cat pw | docker login --password-stdin'],
  },
  'temporary-password': {
    secret: ['A temporary password is generated for root@localhost: «{alnum:12}»'],
    clean: ['the initial password of a user: see the manual'],
  },
  'docker-auth': {
    secret: ['{"auths": {"https://index.docker.io/v1/": {"auth": "«{base64:32}»"}}}'],
    clean: ['{"auth": true}', '"auth": "none"'],
  },
  'basic-auth': {
    secret: ["-H 'Proxy-Auth: Basic «{base64:40}»'"],
    clean: ['Basic authentication is off', 'the basic transformations of a text'],
  },
  'bearer-token': {
    secret: ['sent bearer «{alnum:40}» to the server'],
    clean: ['bearer authentication_is_required here', 'Bearer tokens are short-lived'],
  },
}
