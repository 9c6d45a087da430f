/** Output of shells and their tools. «a secret», ‹a look-alike that must not be masked›. */
export const shellOutputs: Readonly<Record<string, string>> = {
  env: String.raw`SHELL=/bin/bash
PWD=/home/ann/app
LOGNAME=ann
HOME=/home/ann
LANG=en_US.UTF-8
GITHUB_TOKEN=«ghp_{alnum:36}»
AWS_ACCESS_KEY_ID=«AKIA{base32:16}»
AWS_SECRET_ACCESS_KEY=«{base64:40}»
AWS_REGION=eu-central-1
DATABASE_URL=postgres://app:«{urlpassword}»@db.internal:5432/shop
SMTP_PASSWORD=«{password}»
STRIPE_SECRET_KEY=«sk_live_{alnum:24}»
SESSION_SECRET=«{hex:64}»
GIT_COMMIT=‹{hex:40}›
BUILD_ID=‹{uuid}›
IMAGE_DIGEST=‹sha256:{hex:64}›
DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus
XDG_SESSION_ID=‹{digits:4}›
SSH_CONNECTION=‹10.0.0.7 51234 10.0.0.2 22›
TERM=xterm-256color
`,
  printenv: String.raw`HOSTNAME=‹web-{hex:10}-{lower:5}›
KUBERNETES_SERVICE_HOST=10.96.0.1
KUBERNETES_PORT=tcp://10.96.0.1:443
OPENAI_API_KEY=«sk-proj-{word:74}T3BlbkFJ{word:74}»
SLACK_BOT_TOKEN=«xoxb-{digits:12}-{digits:13}-{alnum:24}»
REDIS_PASSWORD=«{alnum:24}»
JWT_SIGNING_KEY=«{base64:43}=»
APP_VERSION=‹3.14.2-rc.1+build.{digits:5}›
SENTRY_RELEASE=‹{hex:40}›
OTEL_RESOURCE_ATTRIBUTES=‹service.instance.id={uuid}›
NODE_OPTIONS=--max-old-space-size=4096
MAX_TOKENS=‹4096›
TOKEN_TTL_SECONDS=‹3600›
npm_package_json=/app/package.json
`,
  set: String.raw`BASH_VERSION='5.2.15(1)-release'
DB_PASS='«{alnum:16}»'
HISTFILE=/root/.bash_history
IFS=$' \t\n'
NPM_TOKEN=«npm_{alnum:36}»
PS1='\u@\h:\w\$ '
UID=0
_=‹/usr/bin/env›
`,
  'env-null-separated':
    'HOME=/root\0API_TOKEN=«{alnum:40}»\0PATH=/bin\0DB_PASSWORD=«{alnum:20}»\0COMMIT=‹{hex:40}›\0',
  ps: String.raw`USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
root           1  0.0  0.1 168140 11352 ?        Ss   Jan02   0:09 /sbin/init
mysql       {digits:4}  0.3  4.2 1793312 344128 ?      Ssl  Jan02  12:01 /usr/sbin/mysqld
ann         {digits:4}  0.0  0.3 612340 28120 ?        Sl   09:12   0:01 mysqldump -u root --password=«{alnum:14}» shop
ann         {digits:4}  0.0  0.1  21344  9120 pts/0    S+   09:14   0:00 curl -H Authorization: Bearer «{word:40}» https://api.acme.io/v1/me
app         {digits:4}  0.1  1.3 998812 108220 ?       Ssl  Jan02   3:11 java -Xmx512m -Dspring.datasource.password=«{password}» -jar app-‹2.7.18›.jar
app         {digits:4}  0.1  0.4 718812 38220 ?        Ssl  Jan02   1:11 ./server --api-key «{hex:32}» --instance ‹{uuid}›
root        {digits:4}  0.0  0.2 1238812 18220 ?       Sl   Jan02   0:11 /usr/bin/containerd-shim-runc-v2 -namespace moby -id ‹{hex:64}›
`,
  history: String.raw`  498  git checkout ‹{hex:40}›
  499  export GH_TOKEN=«ghp_{alnum:36}»
  500  mysql -u root -p«{alnum:14}» shop
  501  sshpass -p «{alnum:12}» ssh root@10.0.0.4
  502  curl -u admin:«{password}» https://nexus.acme.io/repository/
  503  docker login -u ann -p «dckr_pat_{word:27}»
  504  docker pull acme/app@‹sha256:{hex:64}›
  505  psql "postgresql://app:«{alnum:18}»@localhost/shop"
  506  PGPASSWORD=«{alnum:16}» pg_dump shop > shop.sql
  507  ls -la
`,
  'curl-verbose': String.raw`*   Trying 104.18.32.7:443...
* Connected to api.acme.io (104.18.32.7) port 443 (#0)
* ALPN, offering h2
*  SSL certificate verify ok.
* using HTTP/2
> GET /v1/projects?page=2 HTTP/2
> Host: api.acme.io
> user-agent: curl/7.88.1
> accept: */*
> authorization: Bearer «{word:43}»
> x-api-key: «{hex:32}»
> cookie: session=«{word:40}»
> 
< HTTP/2 200 
< date: Fri, 02 Jan 2026 03:04:05 GMT
< content-type: application/json
< etag: ‹W/"{hex:32}"›
< x-request-id: ‹{uuid}›
< cf-ray: ‹{hex:16}-FRA›
< set-cookie: sid=«{word:44}»; Path=/; HttpOnly; Secure
< x-amz-cf-id: ‹{word:54}==›
< 
{"items":[{"id":"‹{hex:24}›","sha":"‹{hex:40}›"}],"next":"/v1/projects?cursor=‹{alnum:16}›"}
* Connection #0 to host api.acme.io left intact
`,
  'curl-basic': String.raw`> POST /oauth/token HTTP/1.1
> Host: login.acme.io
> Authorization: Basic «{basic}»
> Content-Length: 58
> 
< HTTP/1.1 200 OK
< X-Correlation-Id: ‹{uuid}›
< 
{"access_token":"«{jwt}»","token_type":"Bearer","expires_in":3600,"refresh_token":"«{word:43}»","scope":"read write"}
`,
  wget: String.raw`--2026-01-02 03:04:05--  https://ann:*password*@dl.acme.io/app.tar.gz
Resolving dl.acme.io... 10.1.2.3
HTTP request sent, awaiting response... 302 Found
Location: https://acme.s3.amazonaws.com/app.tar.gz?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=«AKIA{base32:16}»%2F20260102%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20260102T030405Z&X-Amz-Signature=«{hex:64}» [following]
Saving to: ‹app-{hex:12}.tar.gz›
`,
  journalctl: String.raw`Jan 02 03:04:05 web-1 systemd[1]: Started app.service - Shop.
Jan 02 03:04:05 web-1 app[{digits:4}]: listening on :8080 build=‹{hex:12}›
Jan 02 03:04:06 web-1 app[{digits:4}]: connecting to amqp://shop:«{alnum:20}»@rabbit:5672/
Jan 02 03:04:07 web-1 app[{digits:4}]: {"level":"error","msg":"stripe: invalid key «sk_live_{alnum:24}»","request":"‹req_{alnum:14}›","trace":"‹{hex:32}›","span":"‹{hex:16}›"}
Jan 02 03:04:08 web-1 sshd[{digits:4}]: Accepted publickey for ann from 10.0.0.7 port 51234 ssh2: ED25519 ‹SHA256:{base64:43}›
Jan 02 03:04:09 web-1 sudo[{digits:4}]: ann : TTY=pts/0 ; PWD=/srv ; USER=root ; COMMAND=/usr/bin/mysql -pS«{alnum:13}» shop
Jan 02 03:04:09 web-1 kernel: audit: type=1400 audit(‹1767322000.123:{digits:3}›): apparmor="DENIED"
`,
  'systemctl-show': String.raw`Id=app.service
InvocationID=‹{hex:32}›
Environment=NODE_ENV=production API_TOKEN=«{alnum:40}» DB_PASSWORD=«{alnum:16}»
ExecStart={ path=/usr/bin/node ; argv[]=/usr/bin/node /srv/app.js --license-key=«{upper:25}» ; ignore_errors=no }
ExecMainStartTimestamp=Fri 2026-01-02 03:04:05 UTC
ControlGroupId=‹{digits:5}›
`,
  strace: String.raw`openat(AT_FDCWD, "/etc/app.conf", O_RDONLY) = 3
read(3, "db_password=«{alnum:16}»\napi_key=«{hex:32}»\n", 4096) = 61
mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 3, 0) = ‹0x7f{hex:10}›
write(4, "GET /v1 HTTP/1.1\r\nAuthorization: Bearer «{word:40}»\r\n\r\n", 75) = 75
`,
  'git-remote': String.raw`origin	https://ann:«ghp_{alnum:36}»@github.com/acme/app.git (fetch)
origin	https://ann:«ghp_{alnum:36}»@github.com/acme/app.git (push)
mirror	https://oauth2:«glpat-{word:20}»@gitlab.com/acme/app.git (fetch)
upstream	git@github.com:acme/‹app-{hex:7}›.git (fetch)
`,
  'git-config': String.raw`user.name=Ann
user.email=ann@acme.io
user.signingkey=‹{HEX:16}›
core.repositoryformatversion=0
remote.origin.url=https://x-access-token:«ghs_{alnum:36}»@github.com/acme/app.git
http.https://git.acme.io/.extraheader=AUTHORIZATION: basic «{basic}»
url.https://ci:«{alnum:20}»@git.acme.io/.insteadof=https://git.acme.io/
branch.main.remote=origin
`,
  'git-log': String.raw`commit ‹{hex:40}› (HEAD -> main, tag: v1.2.3)
gpg: Signature made Fri 02 Jan 2026
gpg:                using EDDSA key ‹{HEX:40}›
Author: Ann <ann@acme.io>
Date:   Fri Jan 2 03:04:05 2026 +0000

    Remove the key «AKIA{base32:16}» that was committed in ‹{hex:40}›

diff --git a/config.py b/config.py
index ‹{hex:7}..{hex:7}› 100644
--- a/config.py
+++ b/config.py
@@ -1,4 +1,4 @@
-AWS_SECRET = "«{base64:40}»"
-DB_PASSWORD = '«{password}»'
+AWS_SECRET = os.environ["AWS_SECRET"]

commit ‹{hex:40}›
Merge: ‹{hex:7} {hex:7}›
Change-Id: ‹I{hex:40}›
`,
  'gh-auth-status': String.raw`github.com
  ✓ Logged in to github.com account ann (/home/ann/.config/gh/hosts.yml)
  - Active account: true
  - Git operations protocol: https
  - Token: «gho_{alnum:36}»
  - Token scopes: 'gist', 'read:org', 'repo', 'workflow'
`,
  nmcli: String.raw`connection.id:                          Office
connection.uuid:                        ‹{uuid}›
connection.type:                        802-11-wireless
802-11-wireless.bssid:                  ‹A4:{hex:2}:{hex:2}:0C:1F:{hex:2}›
802-11-wireless-security.key-mgmt:      wpa-psk
802-11-wireless-security.psk:           «{alnum:16}»
vpn.secrets:                            password = «{alnum:14}»
`,
  'wg-showconf': String.raw`[Interface]
ListenPort = 51820
PrivateKey = «{base64:42}o=»

[Peer]
PublicKey = ‹{base64:42}o=›
PresharedKey = «{base64:42}o=»
AllowedIPs = 10.0.0.2/32
Endpoint = 203.0.113.4:51820
`,
  'ssh-keys': String.raw`ssh-ed25519 ‹AAAAC3NzaC1lZDI1NTE5AAAAI{base64:43}› ann@laptop
ssh-rsa ‹AAAAB3NzaC1yc2EAAAADAQABAAABgQ{base64:360}›= ci@build
256 ‹SHA256:{base64:43}› ann@laptop (ED25519)
3072 ‹MD5:{hex:2}:{hex:2}:{hex:2}:{hex:2}:{hex:2}:{hex:2}:{hex:2}:{hex:2}› ci@build (RSA)
`,
  checksums: String.raw`‹{hex:64}›  app-1.2.3-linux-amd64.tar.gz
‹{hex:64}›  app-1.2.3-darwin-arm64.tar.gz
‹{hex:32}›  notes.txt
‹{hex:40}›  notes.txt
‹{hex:128}›  app.deb
SHA256 (app.pkg) = ‹{hex:64}›
b2sum ‹{hex:128}›
`,
}
