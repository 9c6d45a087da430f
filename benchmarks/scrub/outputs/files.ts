/** Dotfiles and configurations as printed by `cat`. «a secret», ‹a look-alike that must not be masked›. */
export const fileOutputs: Readonly<Record<string, string>> = {
  netrc: String.raw`machine api.heroku.com
  login ann@acme.io
  password «{uuid}»
machine git.acme.io login ci password «{alnum:20}»
default login anonymous password ‹user@example.com›
`,
  pgpass: String.raw`# hostname:port:database:username:password
db.internal:5432:shop:app:«{alnum:20}»
*:*:*:postgres:«{alnum:16}»
`,
  npmrc: String.raw`registry=https://registry.npmjs.org/
//registry.npmjs.org/:_authToken=«npm_{alnum:36}»
//npm.acme.io/:_password=«{base64:24}»
//npm.acme.io/:username=ci
//nexus.acme.io/repository/npm/:_auth=«{basic}»
always-auth=true
`,
  pypirc: String.raw`[distutils]
index-servers = pypi internal

[pypi]
username = __token__
password = pypi-AgEIcHlwaS5vcmc«{word:155}»

[internal]
repository = https://pypi.acme.io
username = ci
password = «{alnum:18}»
`,
  'aws-credentials': String.raw`[default]
aws_access_key_id = «AKIA{base32:16}»
aws_secret_access_key = «{base64:40}»

[ci]
aws_access_key_id=«ASIA{base32:16}»
aws_secret_access_key=«{base64:40}»
aws_session_token=«{base64:300}»
sso_account_id = ‹{digits:12}›
`,
  'git-credentials': String.raw`https://ann:«ghp_{alnum:36}»@github.com
https://ci:«{alnum:20}»@git.acme.io
`,
  dotenv: String.raw`# Shop
NODE_ENV=production
PORT=8080
APP_KEY=base64:«{base64:43}=»
DB_PASSWORD="«{password}»"
JWT_SECRET='«{secret}»'
STRIPE_SECRET=«sk_live_{alnum:24}»
STRIPE_PUBLISHABLE=‹pk_live_{alnum:24}›
SENTRY_DSN=https://{hex:32}@o{digits:6}.ingest.sentry.io/{digits:7}
GOOGLE_CLIENT_ID=‹{digits:12}-{lower:32}.apps.googleusercontent.com›
GOOGLE_CLIENT_SECRET=«GOCSPX-{word:28}»
S3_BUCKET=‹acme-shop-{digits:12}›
ENCRYPTION_KEY=«{hex:64}»
SESSION_COOKIE_NAME=‹shop_session_v2›
PASSWORD_MIN_LENGTH=‹12›
`,
  shadow: String.raw`root:$6$«{alnum:16}{[$]:1}{alnum:86}»:19700:0:99999:7:::
daemon:*:19500:0:99999:7:::
ann:$y$j9T$«{alnum:22}{[$]:1}{alnum:43}»:19701:0:99999:7:::
sshd:!:19500::::::
`,
  htpasswd: String.raw`ann:$2y$05$«{alnum:53}»
ci:$apr1$«{alnum:8}{[$]:1}{alnum:22}»
`,
  'wp-config': String.raw`<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'wp' );
define( 'DB_PASSWORD', '«{password}»' );
define( 'DB_HOST', 'localhost' );
define( 'AUTH_KEY',         '«{[abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#%^&*()_-=+,.:;]:64}»' );
define( 'SECURE_AUTH_KEY',  '«{[abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#%^&*()_-=+,.:;]:64}»' );
define( 'NONCE_SALT',       '«{[abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#%^&*()_-=+,.:;]:64}»' );
$table_prefix = ‹'wp_'›;
`,
  'settings-py': String.raw`SECRET_KEY = 'django-insecure-«{[abcdefghijklmnopqrstuvwxyz0123456789!@#%^&*(-_=+)]:50}»'
DATABASES = {
    'default': {
        'ENGINE': 'django.db.backends.postgresql',
        'USER': 'shop',
        'PASSWORD': '«{alnum:18}»',
        'HOST': '127.0.0.1',
    }
}
EMAIL_HOST_PASSWORD = "«{alnum:16}»"
CELERY_BROKER_URL = 'redis://:«{alnum:20}»@localhost:6379/0'
AUTH_PASSWORD_VALIDATORS = [{'NAME': '‹django.contrib.auth.password_validation.MinimumLengthValidator›'}]
CSRF_COOKIE_NAME = '‹csrftoken›'
`,
  'application-yml': String.raw`spring:
  datasource:
    url: jdbc:postgresql://db:5432/shop
    username: app
    password: «{password}»
  security:
    oauth2:
      client:
        registration:
          github:
            client-id: ‹Iv1.{hex:16}›
            client-secret: «{hex:40}»
server:
  ssl:
    key-store-password: «{alnum:14}»
    key-alias: ‹tomcat-2026›
jwt:
  secret: «{base64:43}=»
  token-validity-seconds: ‹86400›
`,
  'application-properties': String.raw`spring.datasource.password=«{alnum:16}»
spring.mail.password=«{password}»
app.api.key=«{hex:32}»
management.endpoints.web.exposure.include=health
build.commit=‹{hex:40}›
`,
  'appsettings-json': String.raw`{
  "ConnectionStrings": {
    "Default": "Server=db;Database=shop;User Id=sa;Password=«{alnum:16}»;TrustServerCertificate=True",
    "Redis": "cache:6379,password=«{alnum:24}»,ssl=True"
  },
  "Jwt": { "Key": "«{alnum:48}»", "Issuer": "https://acme.io" },
  "ApplicationInsights": { "ConnectionString": "InstrumentationKey=«{uuid}»;IngestionEndpoint=https://x.applicationinsights.azure.com/" },
  "AzureAd": { "TenantId": "‹{uuid}›", "ClientId": "‹{uuid}›", "ClientSecret": "«{alnum:3}8Q~{alnum:34}»" },
  "PublicKeyToken": "‹{hex:16}›"
}
`,
  'web-config': String.raw`<configuration>
  <connectionStrings>
    <add name="Default" connectionString="Data Source=db;Initial Catalog=shop;User ID=sa;Password=«{alnum:16}»" providerName="System.Data.SqlClient" />
  </connectionStrings>
  <appSettings>
    <add key="ApiKey" value="«{hex:32}»" />
    <add key="CorrelationId" value="‹{uuid}›" />
  </appSettings>
  <machineKey validationKey="«{HEX:128}»" decryptionKey="«{HEX:64}»" validation="SHA1" />
  <assemblyIdentity name="Newtonsoft.Json" publicKeyToken="‹{hex:16}›" culture="neutral" />
</configuration>
`,
  'maven-settings': String.raw`<settings>
  <servers>
    <server>
      <id>nexus</id>
      <username>deploy</username>
      <password>«{alnum:18}»</password>
    </server>
    <server><id>github</id><username>ann</username><password>«ghp_{alnum:36}»</password></server>
  </servers>
</settings>
`,
  'gradle-properties': String.raw`org.gradle.jvmargs=-Xmx2g
signing.keyId=‹{HEX:8}›
signing.password=«{alnum:16}»
ossrhPassword=«{alnum:20}»
gpr.key=«ghp_{alnum:36}»
`,
  'npm-config-list': String.raw`; "user" config from /home/ann/.npmrc

//registry.npmjs.org/:_authToken = (protected)
//npm.acme.io/:_authToken = "«{uuid}»"
_auth = "«{basic}»"
cache = "/home/ann/.npm"

; node version = v20.19.0
; npm version = 10.8.2
`,
  'pip-config': String.raw`global.index-url='https://ci:«{alnum:20}»@pypi.acme.io/simple'
global.extra-index-url='https://__token__:«glpat-{word:20}»@gitlab.com/api/v4/projects/1/packages/pypi/simple'
global.timeout='60'
`,
  'composer-auth': String.raw`{
    "http-basic": { "repo.acme.io": { "username": "ci", "password": "«{hex:40}»" } },
    "github-oauth": { "github.com": "«ghp_{alnum:36}»" }
}
`,
  'rclone-conf': String.raw`[s3]
type = s3
access_key_id = «AKIA{base32:16}»
secret_access_key = «{base64:40}»

[drive]
type = drive
client_id = ‹{digits:12}-{lower:32}.apps.googleusercontent.com›
token = {"access_token":"«ya29.a0{word:120}»","token_type":"Bearer","refresh_token":"«1//0{word:60}»","expiry":"2026-01-02T03:04:05Z"}
`,
  s3cfg: String.raw`[default]
access_key = «AKIA{base32:16}»
secret_key = «{base64:40}»
bucket_location = EU
`,
  'my-cnf': String.raw`[client]
user=root
password="«{alnum:14}»"
socket=/run/mysqld/mysqld.sock
`,
  'wpa-supplicant': String.raw`network={
	ssid="Office"
	psk="«{alnum:14}»"
	bssid=‹a4:{hex:2}:{hex:2}:0c:1f:{hex:2}›
	id_str="work"
}
`,
  'circleci-cli': String.raw`host: https://circleci.com
token: «{hex:40}»
github_api: https://api.github.com/
orb_publishing:
    default_vcs_provider: github
`,
  'hub-hosts': String.raw`github.com:
    user: ann
    oauth_token: «gho_{alnum:36}»
    git_protocol: https
`,
  'redis-conf': String.raw`bind 127.0.0.1
requirepass «{alnum:32}»
masterauth «{alnum:32}»
# replid ‹{hex:40}›
`,
  'odbc-ini': String.raw`[shop]
Driver=PostgreSQL
Servername=db
UID=app
PWD=«{alnum:14}»
`,
  'tnsnames-like': String.raw`sqlplus system/«{alnum:12}»@//db:1521/ORCL
sqlcmd -S db -U sa -P «{alnum:14}» -Q "select 1"
mongosh "mongodb+srv://admin:«{alnum:16}»@cluster0.ab1cd.mongodb.net/shop"
redis-cli -h cache -a «{alnum:20}» ping
mysql -h db -u root --password='«{alnum:14}»' shop
`,
  'github-workflow-log': String.raw`2026-01-02T03:04:05.6789012Z ##[group]Run actions/checkout@‹{hex:40}›
2026-01-02T03:04:05.6789012Z with:
2026-01-02T03:04:05.6789012Z   token: ***
2026-01-02T03:04:05.6789012Z ##[endgroup]
2026-01-02T03:04:06.1Z env:
2026-01-02T03:04:06.1Z   DEPLOY_TOKEN: «{alnum:40}»
2026-01-02T03:04:06.1Z   CACHE_KEY: ‹node-Linux-{hex:64}›
2026-01-02T03:04:07.1Z [command]/usr/bin/git -c http.extraheader="AUTHORIZATION: basic «{basic}»" fetch
2026-01-02T03:04:08.1Z HEAD is now at ‹{hex:7}› Fix
2026-01-02T03:04:09.1Z sha512-‹{base64:86}==›
`,
  'psql-rows': String.raw` id |                email |           password_hash            |               api_token
----+----------------------+------------------------------------+---------------------------------------
  1 | ann@acme.io          | $2b$12$«{alnum:53}» | «glpat-{word:20}»
  2 | bob@acme.io          | $2b$12$«{alnum:53}» | «glpat-{word:20}»
(2 rows)

 ‹{uuid}› | ‹2026-01-02 03:04:05.678901+00› | ‹\x{hex:16}›
`,
  'package-lock-and-npm': String.raw`npm http fetch GET 401 https://npm.acme.io/app?token=«{alnum:36}» 123ms
npm error integrity checksum failed: wanted ‹sha512-{base64:86}==› but got ‹sha512-{base64:86}==›
npm error code E401
npm error A complete log of this run can be found in: ‹/root/.npm/_logs/2026-01-02T03_04_05_678Z-debug-0.log›
`,
  'stack-trace-with-config': String.raw`Traceback (most recent call last):
  File "/srv/app.py", line 42, in connect
    psycopg2.connect(host='db', user='app', password='«{alnum:18}»')
psycopg2.OperationalError: connection to server at "db" (10.0.0.4), port 5432 failed
request_id=‹{uuid}› object at ‹0x7f{hex:10}›
`,
}
