/** Output of container and cluster tools. «a secret», ‹a look-alike that must not be masked›. */
export const containerOutputs: Readonly<Record<string, string>> = {
  'docker-inspect': String.raw`[
    {
        "Id": "‹{hex:64}›",
        "Created": "2026-01-02T03:04:05.678901234Z",
        "Image": "‹sha256:{hex:64}›",
        "Config": {
            "Hostname": "‹{hex:12}›",
            "Env": [
                "POSTGRES_USER=app",
                "POSTGRES_PASSWORD=«{password}»",
                "GITHUB_TOKEN=«ghp_{alnum:36}»",
                "MONGO_URL=mongodb://root:«{alnum:16}»@mongo:27017/admin",
                "PATH=/usr/local/bin:/usr/bin",
                "GPG_KEY=‹{HEX:40}›",
                "PYTHON_SHA256=‹{hex:64}›"
            ],
            "Cmd": ["server", "--admin-password", "«{alnum:18}»"],
            "Labels": {
                "com.docker.compose.config-hash": "‹{hex:64}›",
                "org.opencontainers.image.revision": "‹{hex:40}›"
            }
        },
        "NetworkSettings": {
            "SandboxID": "‹{hex:64}›",
            "Networks": { "bridge": { "NetworkID": "‹{hex:64}›", "MacAddress": "‹02:42:ac:11:00:02›" } }
        }
    }
]
`,
  'docker-compose-config': String.raw`name: shop
services:
  db:
    environment:
      POSTGRES_PASSWORD: «{password}»
      POSTGRES_USER: app
    image: postgres:16@‹sha256:{hex:64}›
  web:
    command:
      - --jwt-secret
      - «{hex:64}»
    environment:
      SENDGRID_API_KEY: «SG.{word:22}.{word:43}»
      REDIS_URL: redis://:«{alnum:24}»@cache:6379/0
      TOKEN_EXPIRY: ‹"3600"›
      GIT_SHA: ‹{hex:40}›
`,
  'docker-history': String.raw`IMAGE          CREATED       CREATED BY                                      SIZE      COMMENT
‹{hex:12}›   2 days ago    CMD ["node" "app.js"]                           0B        buildkit.dockerfile.v0
<missing>      2 days ago    RUN |1 NPM_TOKEN=«npm_{alnum:36}» /bin/sh -c npm ci   212MB     buildkit.dockerfile.v0
<missing>      2 days ago    ENV APP_SECRET=«{hex:40}»                       0B        buildkit.dockerfile.v0
<missing>      3 weeks ago   ADD file:‹{hex:64}› in /            74.8MB
`,
  'docker-ps-images': String.raw`CONTAINER ID   IMAGE            COMMAND                  CREATED       STATUS       PORTS     NAMES
‹{hex:12}›   acme/app:1.2.3   "node app.js"            2 days ago    Up 2 days    80/tcp    shop-web-1
‹{hex:12}›   ‹{hex:12}›     "docker-entrypoint.s…"   2 days ago    Up 2 days              shop-db-1
REPOSITORY   TAG      DIGEST                                                                    IMAGE ID
acme/app     1.2.3    ‹sha256:{hex:64}›   ‹{hex:12}›
`,
  'docker-swarm': String.raw`To add a worker to this swarm, run the following command:

    docker swarm join --token «SWMTKN-1-{lower:50}-{lower:25}» 10.0.0.2:2377

ID: ‹{lower:25}›
`,
  'kubectl-get-secret': String.raw`apiVersion: v1
data:
  password: «{b64password}»
  token: «{b64github}»
  username: YWRtaW4=
kind: Secret
metadata:
  creationTimestamp: "2026-01-02T03:04:05Z"
  name: app
  namespace: default
  resourceVersion: ‹"{digits:8}"›
  uid: ‹{uuid}›
type: Opaque
`,
  'kubectl-get-secret-json': String.raw`{
    "apiVersion": "v1",
    "data": {
        ".dockerconfigjson": "«{b64docker}»",
        "api-key": "«{b64hex}»"
    },
    "kind": "Secret",
    "metadata": { "name": "pull", "uid": "‹{uuid}›", "annotations": { "checksum/config": "‹{hex:64}›" } }
}
`,
  'kubectl-string-data': String.raw`apiVersion: v1
kind: Secret
metadata:
  name: app
stringData:
  DATABASE_PASSWORD: «{password}»
  stripe: «sk_live_{alnum:24}»
  config.yml: |
    auth:
      secret: "«{alnum:40}»"
`,
  'kubectl-describe-pod': String.raw`Name:             ‹web-{hex:10}-{lower:5}›
Namespace:        default
Labels:           pod-template-hash=‹{hex:10}›
Containers:
  app:
    Container ID:   ‹containerd://{hex:64}›
    Image:          acme/app:1.2.3
    Image ID:       docker.io/acme/app@‹sha256:{hex:64}›
    Args:
      --token=«{alnum:40}»
    Environment:
      AWS_SECRET_ACCESS_KEY:  «{base64:40}»
      DB_PASSWORD:            «{alnum:18}»
      API_KEY:                <set to the key 'api-key' in secret 'app'>  Optional: false
    Mounts:
      /var/run/secrets/kubernetes.io/serviceaccount from ‹kube-api-access-{lower:5}› (ro)
`,
  'kubectl-config': String.raw`apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ‹LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM{base64:200}›
    server: https://10.0.0.2:6443
  name: prod
users:
- name: admin
  user:
    client-certificate-data: ‹LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM{base64:200}›
    client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb{base64:300}»
- name: ci
  user:
    token: «{jwt}»
- name: old
  user:
    username: admin
    password: «{alnum:20}»
`,
  'helm-get-values': String.raw`USER-SUPPLIED VALUES:
auth:
  adminPassword: «{alnum:16}»
  existingSecret: ‹app-secret›
  tokenSecretName: ‹app-token›
image:
  digest: ‹sha256:{hex:64}›
slack:
  webhook: https://hooks.slack.com/services/«T{upper:8}/B{upper:10}/{alnum:24}»
`,
  'kubeadm-init': String.raw`Then you can join any number of worker nodes by running the following on each as root:

kubeadm join 10.0.0.2:6443 --token «{lower:6}.{lower:16}» \
	--discovery-token-ca-cert-hash ‹sha256:{hex:64}›
`,
  'docker-config': String.raw`{
	"auths": {
		"https://index.docker.io/v1/": {
			"auth": "«{basic}»"
		},
		"ghcr.io": { "auth": "«{basic}»" }
	},
	"credsStore": "desktop"
}
`,
  'compose-logs': String.raw`db-1   | 2026-01-02 03:04:05.678 UTC [1] LOG:  database system is ready to accept connections
web-1  | {"level":"info","msg":"config","db":{"host":"db","password":"«{alnum:20}»"},"trace_id":"‹{hex:32}›"}
web-1  | GET /health 200 3ms ‹{uuid}›
web-1  | Error: connect ECONNREFUSED redis://default:«{alnum:24}»@cache:6379
`,
}
