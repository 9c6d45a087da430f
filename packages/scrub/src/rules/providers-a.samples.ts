import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesA: RuleSamples = {
  '1password-secret-key': {
    secret: [
      'OP_SECRET_KEY=«A3-{upper:6}-{upper:6}-{upper:5}-{upper:5}-{upper:5}-{upper:5}»',
      'op account add --secret-key «A3-{upper:6}-{upper:11}-{upper:5}-{upper:5}-{upper:5}»',
    ],
    clean: [
      'OP_SECRET_KEY=A3-{upper:6}-{upper:4}-{upper:5}-{upper:5}-{upper:5}',
      'Paper sizes: A3-landscape-297x420, A4-portrait-210x297',
    ],
  },
  '1password-service-account-token': {
    secret: ['export OP_SERVICE_ACCOUNT_TOKEN=«ops_eyJ{alnum:620}»'],
    clean: ['OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ{alnum:60}', 'const ops_eyJson = parse(text)'],
  },
  'adafruit-api-key': {
    secret: ['adafruit_token: «{word:32}»'],
    clean: ['export ADAFRUIT_TOKEN="{word:28}"', 'adafruit_token: changeme'],
  },
  'adafruit-io-key': {
    secret: ['API_KEY=«aio_{alnum:28}»'],
    clean: ['https://api.example.com/v1/me?key=aio_{alnum:33}&page=2'],
  },
  'adobe-client-id': {
    secret: ['export ADOBE_TOKEN="«{lower:32}»"'],
    clean: ['docker run -e ADOBE_SECRET={lower:30} app', 'const key = process.env.ADOBE_KEY'],
  },
  'adobe-client-secret': {
    secret: ['[info] connecting with «p8e-{word:32}», retrying'],
    clean: ['Authorization: Bearer p8e-{word:28}'],
  },
  'age-secret-key': {
    secret: ['# created: 2026-01-02\n«AGE-SECRET-KEY-1{[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]:58}»'],
    clean: ['age1{[qpzry9x8gf2tvdw0s3jn54khce6mua7l]:58}', 'AGE-SECRET-KEY-1{[QPZRY9X8]:30}'],
  },
  'aikido-ci-token': {
    secret: ['aikido-api-client set-api-key «AIK_CI_{alnum:64}»', 'AIKIDO_API_KEY: «AIK_CI_US_{alnum:64}»'],
    clean: ['aikido scan --apikey AIK_CI_xxx', 'AIK_CI_your_key_here'],
  },
  'aikido-client-secret': {
    secret: ['AIKIDO_CLIENT_SECRET=«AIK_SECRET_{alnum:64}»', 'aikido:\n  client_id: «AIK_CLIENT_{alnum:32}»'],
    clean: ['AIK_SECRET_NAME=aikido', 'process.env.AIK_CLIENT_ID'],
  },
  'airbrake-user-key': {
    secret: ["'airbrake' => ['key' => '«{alnum:40}»'],", 'AIRBRAKE_API_KEY=«{hex:32}»'],
    clean: ['client = Airbrake(api_key="{alnum:36}")', 'const key = process.env.AIRBRAKE_KEY'],
  },
  'airtable-api-key': {
    secret: [
      '<add key="airtableApiKey" value="«key{alnum:14}»" />',
      '{"airtable": {"apiKey": "«{lower:17}»"}}',
    ],
    clean: [
      '      AIRTABLE_KEY: "key{alnum:10}"',
      "const airtableApiKey = 'app{alnum:15}'",
      "import { Airtable } from 'airtable'",
    ],
  },
  'airtable-oauth-token': {
    secret: ['Authorization: Bearer «oaa{alnum:14}.v1.{word:120}.{hex:64}»'],
    clean: ['oaa{alnum:14}.v1.{word:12}', 'schemas/oaaPayload.v1.json'],
  },
  'airtable-personnal-access-token': {
    secret: ['AIRTABLE_PAT=«pat{alnum:14}.{hex:64}»'],
    clean: ['pat{alnum:14}.{hex:32}', 'patternMatchAndRun.{hex:64}'],
  },
  'aiven-api-key': {
    secret: ['"aiven_api_key": "«{base64:372}»",'],
    clean: [
      '{"aiven": {"apiKey": "{base64:90}"}}',
      'Create a token in the settings of Aiven and keep it secret.',
    ],
  },
  'aiven-service-password': {
    secret: ['postgres://avnadmin:«AVNS_{word:19}»@pg-1.aivencloud.com:12691/defaultdb'],
    clean: ['AVNS_PASSWORD', 'AVNS_{word:8}'],
  },
  'akamai-edgegrid-token': {
    secret: ['[default]\naccess_token = «akab-{lower:16}-{lower:16}»'],
    clean: ['host = akab-{lower:16}.luna.akamaiapis.net'],
  },
  'alchemy-api-key': {
    secret: ['alchemy_token: «{word:32}»'],
    clean: ['export ALCHEMY_TOKEN="{word:28}"', 'ALCHEMY_API_KEY=${ALCHEMY_API_KEY}'],
  },
  'alchemy-auth-token': {
    secret: ['token: «alcht_{alnum:30}»'],
    clean: ["api_key = 'alcht_{alnum:35}'"],
  },
  'alchemy-rpc-url': {
    secret: ['url: "https://eth-mainnet.g.alchemy.com/v2/«{word:32}»"'],
    clean: ['https://docs.alchemy.com/v2/getting-started', 'https://dashboard.alchemy.com/apps'],
  },
  'algolia-api-key': {
    secret: ['algolia.api.key=«{lower:32}»'],
    clean: ['GET https://api.algolia.com/v1/items?api_key={lower:35}', 'const key = process.env.ALGOLIA_KEY'],
  },
  'alibaba-access-key-id': {
    secret: ['ALIBABA_CLOUD_ACCESS_KEY_ID=«LTAI{alnum:20}»', '"accessKeyId": "«LTAI{alnum:12}»"'],
    clean: ['LTAI{alnum:6}', 'VOLTAI{alnum:20}'],
  },
  'alibaba-secret-key': {
    secret: ['GET https://api.alibaba.com/v1/items?api_key=«{alnum:30}»'],
    clean: ["'alibaba' => ['key' => '{alnum:35}'],", 'ALIBABA_API_KEY=${ALIBABA_API_KEY}'],
  },
  'alibaba-sts-access-key-id': {
    secret: ['"AccessKeyId": "«STS.{alnum:25}»"'],
    clean: ['STS.getCallerIdentity', 'STS.{alnum:10}'],
  },
  'alibaba-sts-access-key-secret': {
    secret: ["'alibaba' => ['key' => '«{alnum:44}»'],"],
    clean: [
      'client = Alibaba(api_key="{alnum:36}")',
      'Create a token in the settings of Alibaba and keep it secret.',
    ],
  },
  'alibaba-sts-security-token': {
    secret: ['ALIBABA_CLOUD_SECURITY_TOKEN=«CAIS{base64:480}»'],
    clean: ['CAIS{alnum:40}'],
  },
  'amazon-mws-auth-token': {
    secret: ['MWS_AUTH_TOKEN=«amzn.mws.{uuid}»'],
    clean: ['amzn.mws.{hex:8}', 'https://mws.amazonservices.com'],
  },
  'amazon-oauth-client-secret': {
    secret: ['client_secret=«amzn1.oa2-cs.v1.{hex:64}»'],
    clean: ['amzn1.application-oa2-client.{hex:32}', 'amzn1.oa2-cs.v1.{hex:20}'],
  },
  'amazon-oauth-token': {
    secret: ['{"refresh_token":"«Atzr|{word:380}»"}'],
    clean: ['Atza|{word:20}'],
  },
  'amplitude-secret-key': {
    secret: ['AMPLITUDE_API_KEY=«{hex:32}»'],
    clean: ['amplitude_token: {hex:30}', 'Create a token in the settings of Amplitude and keep it secret.'],
  },
  'anthropic-admin-api-key': {
    secret: ['ANTHROPIC_ADMIN_KEY=«sk-ant-admin01-{word:93}AA»'],
    clean: ['sk-ant-admin01-{word:12}', 'sk-ant-admin01-your-key-here'],
  },
  'anthropic-api-key': {
    secret: ["curl https://api.anthropic.com/v1/messages -H 'x-api-key: «sk-ant-api03-{word:93}AA»'"],
    clean: ['sk-ant-api03-{word:20}', 'export ANTHROPIC_API_KEY=sk-ant-api03-...'],
  },
  'anthropic-oauth-token': {
    secret: [
      'CLAUDE_CODE_OAUTH_TOKEN=«sk-ant-oat01-{word:95}»',
      'Cookie: sessionKey=«sk-ant-sid01-{word:86}AA»',
    ],
    clean: ['sk-ant-oat01-{word:9}', 'sk-ant-sid'],
  },
  'anypoint-api-key': {
    secret: ['export ANYPOINT_TOKEN="«{uuid}»"'],
    clean: ['docker run -e ANYPOINT_SECRET={hex:8}-{hex:4}-{hex:4}-{hex:12} app', 'anypoint_token: changeme'],
  },
  'anyscale-api-key': {
    secret: ['ANYSCALE_CLI_TOKEN=«aph0_{alnum:56}»', 'api_key="«esecret_{alnum:26}»"'],
    clean: ['esecret_name', 'aph0_{alnum:8}'],
  },
  'api-dev-key': {
    secret: ['      API_DEV_KEY: "«{word:32}»"'],
    clean: ['      API_DEV_KEY: "{word:28}"', 'const key = process.env.API_DEV_KEY'],
  },
  'apifonica-api-key': {
    secret: [
      'GET https://api.apifonica.com/v1/items?api_key=«{lower:40}»',
      '      APIFONICA_KEY: "«{uuid}»"',
    ],
    clean: ["'apifonica' => ['key' => 'changeme'],", "import { Apifonica } from 'apifonica'"],
  },
  'apify-api-key': {
    secret: ["api_key = '«apify_api_{alnum:36}»'"],
    clean: ['<token>apify_api_{alnum:33}</token>'],
  },
  'apilayer-api-key': {
    secret: ["'apilayer' => ['key' => '«{alnum:32}»'],"],
    clean: ['client = Apilayer(api_key="{alnum:37}")', 'apilayer_token: changeme'],
  },
  'apimetrics-api-key': {
    secret: ['<add key="apimetricsApiKey" value="«{alnum:32}»" />'],
    clean: [
      '      APIMETRICS_KEY: "changeme"',
      'Create a token in the settings of Apimetrics and keep it secret.',
    ],
  },
  'apitemplate-api-key': {
    secret: ['client = Apitemplate(api_key="«{alnum:39}»")'],
    clean: ['"apitemplate_api_key": "{alnum:44}",', 'const key = process.env.APITEMPLATE_KEY'],
  },
  'apollo-api-key': {
    secret: ['      APOLLOIO_KEY: "«{word:22}»"'],
    clean: ['APOLLOIO_API_KEY={word:18}', "import { Apolloio } from 'apolloio'"],
  },
  'apollo-graph-key': {
    secret: ['APOLLO_KEY=service:shop-prod:«{word:22}»', '"apollo": {"key": "user:gh.{uuid}:«{word:22}»"}'],
    clean: ['service:shop-prod', 'service:shop:{word:9}'],
  },
  'appfollow-api-token': {
    secret: ['APPFOLLOW_API_KEY=«{alnum:20}»', 'appfollow.api.key=«eyJ{word:34}.eyJ{word:60}.{word:43}»'],
    clean: ['appfollow_token: {alnum:16}', 'appfollow_token: changeme'],
  },
  'apple-app-specific-password': {
    secret: [
      'FASTLANE_APPLE_APPLICATION_SPECIFIC_PASSWORD="«{[abcdefghijklmnopqrstuvwxyz]:4}-{[abcdefghijklmnopqrstuvwxyz]:4}-{[abcdefghijklmnopqrstuvwxyz]:4}-{[abcdefghijklmnopqrstuvwxyz]:4}»"',
      'xcrun notarytool submit app.zip --apple-id me@example.com --password «{[abcdefghijklmnopqrstuvwxyz]:4}-{[abcdefghijklmnopqrstuvwxyz]:4}-{[abcdefghijklmnopqrstuvwxyz]:4}-{[abcdefghijklmnopqrstuvwxyz]:4}»',
    ],
    clean: [
      'xcrun notarytool submit app.zip --keychain-profile main',
      'app-specific-password: abcd-efg-hijk-lmno',
    ],
  },
  'appointedd-api-key': {
    secret: ['appointedd_token: «{base64:86}==»'],
    clean: ['export APPOINTEDD_TOKEN="{base64:70}"', 'const key = process.env.APPOINTEDD_KEY'],
  },
  'appoptics-api-key': {
    secret: ["const appopticsApiKey = '«{word:71}»'"],
    clean: ['appoptics.api.key={word:67}', "import { Appoptics } from 'appoptics'"],
  },
  'appsynergy-api-key': {
    secret: ['export APPSYNERGY_TOKEN="«{lower:64}»"'],
    clean: ['docker run -e APPSYNERGY_SECRET={lower:62} app', 'APPSYNERGY_API_KEY=${APPSYNERGY_API_KEY}'],
  },
  'appwrite-api-key': {
    secret: ['APPWRITE_API_KEY=«standard_{hex:256}»'],
    clean: ['standard_{hex:32}'],
  },
  'artifactory-access-token': {
    secret: [
      'docker run -e ARTIFACTORY_SECRET=«{alnum:73}» app',
      'client = Artifactory(api_key="«{alnum:64}»")',
    ],
    clean: [
      'artifactory_api_key = "{alnum:50}"',
      'Create a token in the settings of Artifactory and keep it secret.',
    ],
  },
  'artifactory-api-key': {
    secret: [
      'curl -H "X-JFrog-Art-Api: «AKCp{alnum:69}»" https://repo.example.com/artifactory/api/system/ping',
    ],
    clean: ['AKCp{alnum:40}'],
  },
  'artifactory-reference-token': {
    secret: ['//repo.example.com/:_authToken=«cmVmd{alnum:59}»'],
    clean: ['cmVmd{alnum:30}'],
  },
  'asaas-api-token': {
    secret: ["access_token: '«$aact_prod_{alnum:130}»'", 'ASAAS_API_KEY=«aact_hmlg_{alnum:120}==»'],
    clean: ['$aact_prod', 'aact_{alnum:30}'],
  },
  'asana-client-id': {
    secret: ['<add key="asana_clientApiKey" value="«{digits:16}»" />'],
    clean: ['      ASANA_CLIENT_KEY: "{digits:13}"', 'asana_client_token: changeme'],
  },
  'asana-client-secret': {
    secret: ['client = Asana(api_key="«{lower:32}»")'],
    clean: ['"asana_api_key": "{lower:35}",', 'Create a token in the settings of Asana and keep it secret.'],
  },
  'asana-oauth-token': {
    secret: [
      '      ASANA_KEY: "«1/{digits:16}:{hex:32}»"',
      "const asanaApiKey = '«2/{digits:16}/{digits:16}:{hex:32}»'",
    ],
    clean: [
      'ASANA_API_KEY=1/{digits:16}',
      'asana.api.key=0/{digits:5}:{hex:32}',
      'const key = process.env.ASANA_KEY',
    ],
  },
  'assemblyai-api-key': {
    secret: ['"assemblyai_api_key": "«{lower:32}»",'],
    clean: ['{"assemblyai": {"apiKey": "{lower:35}"}}', "import { Assemblyai } from 'assemblyai'"],
  },
  'atera-api-key': {
    secret: ['ATERA_API_KEY=«{lower:32}»'],
    clean: ['atera_token: {lower:30}', 'ATERA_API_KEY=${ATERA_API_KEY}'],
  },
  'atlassian-admin-api-key': {
    secret: ['BITBUCKET_ACCESS_TOKEN=«ATCTT3{word:180}={HEX:8}»'],
    clean: ['ATCTT3{word:20}'],
  },
  'atlassian-api-token': {
    secret: [
      'curl -u me@example.com:«ATATT3{word:177}={HEX:8}» https://acme.atlassian.net/rest/api/3/myself',
    ],
    clean: ['ATATT3{word:24}'],
  },
  'atlassian-legacy-api-token': {
    secret: ["const atlassianApiKey = '«{alnum:24}»'"],
    clean: ['atlassian.api.key={alnum:29}', 'const key = process.env.ATLASSIAN_KEY'],
  },
  'audd-api-key': {
    secret: ['export AUDD_IO_TOKEN="«{lower:32}»"'],
    clean: ['docker run -e AUDD_IO_SECRET={lower:30} app', "import { AuddIo } from 'audd_io'"],
  },
  'auth0-client-id': {
    secret: ['auth0.api.key=«{word:32}»'],
    clean: ['GET https://api.auth0.com/v1/items?api_key={word:28}', 'AUTH0_API_KEY=${AUTH0_API_KEY}'],
  },
  'auth0-client-secret': {
    secret: ['docker run -e AUTH0_SECRET=«{word:64}» app'],
    clean: ['auth0_api_key = "{word:60}"', 'auth0_token: changeme'],
  },
  'authress-service-client-access-key': {
    secret: ['AUTHRESS_KEY="«sc_{lower:12}.{lower:4}.acc_{lower:20}.{base64:62}=»"'],
    clean: ['sc_{lower:12}.{lower:4}.acc_{lower:4}', 'user.account.acc_id'],
  },
  'autoklose-api-token': {
    secret: ['autoklose_api_key = "«{word:32}»"'],
    clean: ['<add key="autokloseApiKey" value="{word:28}" />', 'const key = process.env.AUTOKLOSE_KEY'],
  },
  'autopilot-api-key': {
    secret: ["'autopilothq' => ['key' => '«{hex:32}»'],"],
    clean: [
      'client = Autopilothq(api_key="{[ghijklmnopqrstuvwxyz23]:32}")',
      "import { Autopilothq } from 'autopilothq'",
    ],
  },
  'avaza-personal-access-token': {
    secret: ['<add key="avazaApiKey" value="«{digits:6}-{hex:40}»" />'],
    clean: ['      AVAZA_KEY: "{digits:6}-{hex:20}"', 'AVAZA_API_KEY=${AVAZA_API_KEY}'],
  },
  'aviationstack-api-key': {
    secret: ['client = Aviationstack(api_key="«{lower:32}»")'],
    clean: ['"aviationstack_api_key": "{lower:35}",', 'aviationstack_token: changeme'],
  },
  'aws-access-token': {
    secret: ['aws_access_key_id = «AKIA{base32:16}»', '{"AccessKeyId":"«ASIA{upper:16}»"}'],
    clean: ['AKIA{upper:12}', 'arn:aws:iam::123456789012:role/AROA{upper:16}'],
  },
  'aws-amazon-bedrock-api-key-long-lived': {
    secret: ['AWS_BEARER_TOKEN_BEDROCK=«ABSK{base64:128}==»'],
    clean: ['ABSK{alnum:40}'],
  },
  'aws-amazon-bedrock-api-key-short-lived': {
    secret: ['export AWS_BEARER_TOKEN_BEDROCK=«bedrock-api-key-{base64:1200}»'],
    clean: ['bedrock-api-key-rotation: 30 days', 'name: bedrock-api-key-secret'],
  },
  'aws-key-pair': {
    secret: ['Access key ID,Secret access key\nAKIA{base32:16},«{base64:40}»'],
    clean: ['AKIA{base32:16},{base64:20}', 'AKIA{base32:16} was rotated in {hex:7}'],
  },
  'aws-secret-key': {
    secret: ['aws_secret_access_token: «{base64:40}»'],
    clean: ['export AWS_SECRET_ACCESS_TOKEN="{base64:30}"', 'aws_secret_access_token: changeme'],
  },
  'aws-session-token': {
    secret: ['AWS_SESSION_TOKEN=«IQoJb3JpZ2lu{base64:700}==»'],
    clean: ['IQoJb3JpZ2lu{base64:20}'],
  },
  'aws-session-token-named': {
    secret: ['export AWS_SESSION_TOKEN="«{base64:360}»"'],
    clean: ['aws_session_token: {base64:60}', 'const key = process.env.AWS_SESSION_KEY'],
  },
  'axiom-token': {
    secret: ['API_KEY=«xaat-{uuid}»'],
    clean: ['https://api.example.com/v1/me?key=xaat-{hex:8}-{hex:4}-{hex:4}-{hex:12}&page=2'],
  },
  'axonaut-api-key': {
    secret: ['docker run -e AXONAUT_SECRET=«{lower:32}» app'],
    clean: ['axonaut_api_key = "{lower:30}"', 'AXONAUT_API_KEY=${AXONAUT_API_KEY}'],
  },
  'ayrshare-api-key': {
    secret: [
      'GET https://api.ayrshare.com/v1/items?api_key=«{upper:7}-{upper:7}-{upper:7}-{upper:7}»',
      '      AYRSHARE_KEY: "«{upper:8}-{upper:8}-{upper:8}-{upper:8}»"',
    ],
    clean: ["'ayrshare' => ['key' => '{upper:7}-{upper:7}-{upper:7}'],", 'ayrshare_token: changeme'],
  },
  'azure-ad-client-secret': {
    secret: ['AZURE_CLIENT_SECRET=«{alnum:3}8Q~{word:34}»'],
    clean: ['{alnum:3}8Q~{word:12}', 'SELECT * FROM faq WHERE q~1'],
  },
  'azure-app-configuration-connection-string': {
    secret: ['Endpoint=https://shop.azconfig.io;Id=ab1c-l0-s0:{alnum:20};Secret=«{base64:43}=»'],
    clean: [
      'Endpoint=https://shop.azconfig.io;Id=ab1c;Secret=<secret>',
      'https://shop.azconfig.io/kv?api-version=1.0',
    ],
  },
  'azure-connection-string': {
    secret: [
      'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«{base64:86}==»;EndpointSuffix=core.windows.net',
      'Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{base64:43}=»',
    ],
    clean: ['AccountKey=<your account key>', 'SharedAccessKeyName=RootManageSharedAccessKey'],
  },
  'azure-container-registry-key': {
    secret: ['docker login shop.azurecr.io -u shop -p «{base64:42}+ACR{[ABCD]:1}{base64:5}»'],
    clean: ['{base64:20}+ACR{base64:6}'],
  },
  'azure-devops-personal-access-token': {
    secret: ['      AZURE_DEVOPS_KEY: "«{[abcdefghijklmnopqrstuvwxyz234567]:52}»"'],
    clean: ['AZURE_DEVOPS_API_KEY={[abcdefghijklmnopqrstuvwxyz234567]:40}', 'azure_devops_token: changeme'],
  },
  'azure-function-key': {
    secret: ['https://shop.azurewebsites.net/api/run?code=«{word:44}AzFu{word:5}Q==»'],
    clean: ['{word:20}AzFu{word:5}Q==', 'loadAzFunctions()'],
  },
  'azure-issued-key': {
    secret: ['AZURE_AI_KEY="«{alnum:52}JQQJ99{alnum:26}»"'],
    clean: ['{alnum:20}JQQJ99{alnum:26}'],
  },
  'azure-openai-api-key': {
    secret: [
      '{"azure_openai": {"apiKey": "«{hex:32}»"}}',
      'docker run -e AZURE_OPENAI_SECRET=«{alnum:84}» app',
    ],
    clean: ["const azure_openaiApiKey = '{hex:24}'", "import { AzureOpenai } from 'azure_openai'"],
  },
  'azure-personal-access-token': {
    secret: ['git clone https://build:«{alnum:76}AZDO{alnum:4}»@dev.azure.com/acme/shop/_git/shop'],
    clean: ['{alnum:40}AZDO{alnum:4}', 'AZDO_PERSONAL_ACCESS_TOKEN'],
  },
  'azure-sas-signature': {
    secret: [
      'https://shop.blob.core.windows.net/x?sv=2024-11-04&se=2026-01-01&sr=b&sp=r&sig=«{alnum:20}%2B{alnum:22}%3D»',
      'https://prod-01.westeurope.logic.azure.com/workflows/a/triggers/manual/paths/invoke?sv=1.0&sig=«{word:43}»',
    ],
    clean: ['?sv=2024-11-04&sig={alnum:12}', 'const sig=computeSignature(payload)'],
  },
  'azure-search-key': {
    secret: ['export AZURE_SEARCH_TOKEN="«{HEX:32}»"'],
    clean: [
      'docker run -e AZURE_SEARCH_SECRET={HEX:28} app',
      'Create a token in the settings of AzureSearch and keep it secret.',
    ],
  },
  'azure-search-query-key': {
    secret: ['api-key: «{alnum:42}AzSe{[ABCD]:1}{alnum:5}»'],
    clean: ['{alnum:12}AzSe{alnum:6}'],
  },
  'azure-shared-access-key': {
    secret: ['primaryKey: «{base64:33}+AEh{base64:6}=»'],
    clean: ['{base64:10}+AEh{base64:6}=', 'AIoT gateway'],
  },
  'azure-storage-account-key': {
    secret: ['AZURE_STORAGE_KEY=«{base64:76}+ASt{base64:5}A==»'],
    clean: ['{base64:30}+ASt{base64:5}A=='],
  },
  'azure-storage-key': {
    secret: ['azure_storage_api_key = "«{base64:86}==»"'],
    clean: ['<add key="azure_storageApiKey" value="{base64:86}" />', 'azure_storage_token: changeme'],
  },
}
