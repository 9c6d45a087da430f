import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesC: RuleSamples = {
  'cal-com-api-key': {
    secret: ['CALCOM_API_KEY=«cal_live_{hex:32}»'],
    clean: ['cal_live_{hex:12}'],
  },
  'calendarific-api-key': {
    secret: [
      '{"calendarific": {"apiKey": "«{lower:40}»"}}',
      'docker run -e CALENDARIFIC_SECRET=«{alnum:32}» app',
    ],
    clean: ["const calendarificApiKey = '{alnum:36}'", 'CALENDARIFIC_API_KEY=${CALENDARIFIC_API_KEY}'],
  },
  'calorieninja-api-key': {
    secret: [
      'calorieninja_token: «{alnum:40}»',
      'GET https://api.calorieninja.com/v1/items?api_key=«{base64:22}=={alnum:16}»',
    ],
    clean: ['export CALORIENINJA_TOKEN="{alnum:30}"', 'calorieninja_token: changeme'],
  },
  'campayn-api-key': {
    secret: ["const campaynApiKey = '«{lower:64}»'"],
    clean: ['campayn.api.key={lower:67}', 'Create a token in the settings of Campayn and keep it secret.'],
  },
  'canadian-digital-service-notify-api-key': {
    secret: ['Authorization: ApiKey-v1 «gcntfy-staging-{uuid}-{uuid}»'],
    clean: ['gcntfy-staging-{uuid}', 'gcntfy-terraform-modules'],
  },
  'cannyio-api-key': {
    secret: ['cannyio.api.key=«{uuid}»'],
    clean: [
      'GET https://api.cannyio.com/v1/items?api_key={hex:8}-{hex:4}-{hex:4}-{hex:12}',
      "import { Cannyio } from 'cannyio'",
    ],
  },
  'canva-client-id': {
    secret: ['CANVA_CLIENT_ID=«OC-{alnum:11}»'],
    clean: ['OC-{alnum:6}', 'OC-{alnum:24}'],
  },
  'canva-client-secret': {
    secret: ['CANVA_CLIENT_SECRET=«cnvca{word:51}»'],
    clean: ['cnvca{alnum:12}'],
  },
  'capsulecrm-api-key': {
    secret: ['capsulecrm_api_key = "«{alnum:64}»"', '"capsulecrm_api_key": "«{base64:64}»",'],
    clean: [
      '<add key="capsulecrmApiKey" value="{alnum:50}" />',
      'Create a token in the settings of Capsulecrm and keep it secret.',
    ],
  },
  'carboninterface-api-key': {
    secret: ["'carboninterface' => ['key' => '«{alnum:21}»'],"],
    clean: ['client = Carboninterface(api_key="{alnum:14}")', 'const key = process.env.CARBONINTERFACE_KEY'],
  },
  'censys-api-key': {
    secret: ['<add key="censysApiKey" value="«{uuid}»" />', '{"censys": {"apiKey": "«{alnum:32}»"}}'],
    clean: ['      CENSYS_KEY: "{alnum:20}"', "import { Censys } from 'censys'"],
  },
  'centralstationcrm-api-key': {
    secret: ['client = Centralstation(api_key="«{lower:30}»")'],
    clean: ['"centralstation_api_key": "{lower:33}",', 'CENTRALSTATION_API_KEY=${CENTRALSTATION_API_KEY}'],
  },
  'cerebras-api-key': {
    secret: ["api_key = '«csk-{lower:48}»'"],
    clean: ['<token>csk-{lower:46}</token>'],
  },
  'chargebee-api-key': {
    secret: ['"chargebee_api_key": "«live_{alnum:32}»",'],
    clean: [
      '{"chargebee": {"apiKey": "test_site_name"}}',
      'Create a token in the settings of Chargebee and keep it secret.',
    ],
  },
  'chartmogul-api-key': {
    secret: ['CHARTMOGUL_API_KEY=«{lower:32}»'],
    clean: ['chartmogul_token: {lower:30}', 'const key = process.env.CHARTMOGUL_KEY'],
  },
  'chatbot-api-key': {
    secret: ['chatbot_token: «{word:32}»'],
    clean: ['export CHATBOT_TOKEN="{word:28}"', "import { Chatbot } from 'chatbot'"],
  },
  'chatfuel-api-key': {
    secret: ['chatfuel_token: «{alnum:128}»'],
    clean: ['export CHATFUEL_TOKEN="{alnum:125}"', 'CHATFUEL_API_KEY=${CHATFUEL_API_KEY}'],
  },
  'checio-api-key': {
    secret: ["const commercejsApiKey = '«pk_{lower:45}»'", 'commercejs_api_key = "«sk_test_{lower:40}»"'],
    clean: ['commercejs.api.key=pk_{lower:12}', 'commercejs_token: changeme'],
  },
  'checklyhq-api-key': {
    secret: ['{"token":"«cu_{hex:32}»","scope":"all"}'],
    clean: ['[info] connecting with cu_{hex:30}, retrying'],
  },
  'checkout-secret-key': {
    secret: [
      'checkout_com.api.key=«sk_sbox_{[abcdefghijklmnopqrstuvwxyz234567]:27}»',
      '<add key="checkout_comApiKey" value="«sk_test_{uuid}»" />',
    ],
    clean: [
      'GET https://api.checkout_com.com/v1/items?api_key=sk_sbox_{lower:8}',
      '      CHECKOUT_COM_KEY: "pk_test_{uuid}"',
      'const key = process.env.CHECKOUT_COM_KEY',
    ],
  },
  'checkr-api-key': {
    secret: ['docker run -e CHECKR_SECRET=«{hex:40}» app'],
    clean: ['checkr_api_key = "{hex:38}"', "import { Checkr } from 'checkr'"],
  },
  'chromatic-project-token': {
    secret: ['npx chromatic --project-token=«chpt_{hex:15}»'],
    clean: ['chpt_{hex:6}'],
  },
  'cicero-api-key': {
    secret: ['cicerodata_api_key = "«{lower:40}»"'],
    clean: ['<add key="cicerodataApiKey" value="{lower:38}" />', 'cicerodata_token: changeme'],
  },
  'circleci-api-personal-access-token': {
    secret: ['Circle-Token: «CCIPAT_{alnum:22}_{hex:40}»'],
    clean: ['CCIPAT_{alnum:22}'],
  },
  'circleci-api-project-token': {
    secret: ['https://circleci.com/api/v1.1/project/gh/acme/shop?circle-token=«CCIPRJ_{alnum:22}_{hex:40}»'],
    clean: ['CCIPRJ_{alnum:8}_{hex:8}'],
  },
  'circleci-personal-token': {
    secret: ['client = Circleci(api_key="«{hex:40}»")'],
    clean: ['"circleci_api_key": "{[ghijklmnopqrstuvwxyz23]:40}",', "import { Circleci } from 'circleci'"],
  },
  'cisco-meraki-api-key': {
    secret: ['      MERAKI_KEY: "«{hex:40}»"'],
    clean: ['MERAKI_API_KEY={hex:38}', 'MERAKI_API_KEY=${MERAKI_API_KEY}'],
  },
  'civitai-api-key': {
    secret: ['"civitai_api_key": "«{hex:32}»",'],
    clean: ['{"civitai": {"apiKey": "{[ghijklmnopqrstuvwxyz23]:32}"}}', 'civitai_token: changeme'],
  },
  'civo-api-key': {
    secret: ['CIVO_API_KEY=«{alnum:50}»'],
    clean: ['civo_token: {alnum:47}', 'Create a token in the settings of Civo and keep it secret.'],
  },
  'clarifai-api-key': {
    secret: ['{"clarifai": {"apiKey": "«{lower:32}»"}}'],
    clean: ["const clarifaiApiKey = '{lower:35}'", 'const key = process.env.CLARIFAI_KEY'],
  },
  'clearbit-api-key': {
    secret: ['clearbit_token: «sk_{hex:32}»'],
    clean: ['export CLEARBIT_TOKEN="sk_{hex:16}"', "import { Clearbit } from 'clearbit'"],
  },
  'clerk-secret-key': {
    secret: ["const clerkApiKey = '«sk_test_{alnum:42}»'"],
    clean: ['clerk.api.key=pk_test_{alnum:42}', 'CLERK_API_KEY=${CLERK_API_KEY}'],
  },
  'clickhouse-cloud-api-secret-key': {
    secret: ['Authorization: Bearer «4b1d{alnum:38}»'],
    clean: ['API_KEY=4b1d{alnum:35}'],
  },
  'clickhouse-cloud-key-id': {
    secret: ['clickhouse_cloud.api.key=«{alnum:20}»'],
    clean: [
      'GET https://api.clickhouse_cloud.com/v1/items?api_key={alnum:25}',
      'Create a token in the settings of ClickhouseCloud and keep it secret.',
    ],
  },
  'clickup-personal-api-token': {
    secret: ['Authorization: «pk_{digits:8}_{upper:32}»'],
    clean: ['pk_{digits:8}_{upper:12}', 'pk_{alnum:24}'],
  },
  'cliengo-api-key': {
    secret: ['GET https://api.cliengo.com/v1/items?api_key=«{uuid}»'],
    clean: [
      "'cliengo' => ['key' => '{hex:8}-{hex:4}-{hex:4}-{hex:12}'],",
      "import { Cliengo } from 'cliengo'",
    ],
  },
  'clockify-api-key': {
    secret: ['clockify_api_key = "«{alnum:48}»"', '"clockify_api_key": "«{alnum:16}»",'],
    clean: ['<add key="clockifyApiKey" value="{alnum:30}" />', 'CLOCKIFY_API_KEY=${CLOCKIFY_API_KEY}'],
  },
  'clojars-api-token': {
    secret: ['[info] connecting with «CLOJARS_{lower:60}», retrying'],
    clean: ['Authorization: Bearer CLOJARS_{lower:63}'],
  },
  'close-crm-api-key': {
    secret: ['curl https://api.close.com/api/v1/me/ -u «api_{alnum:22}.{alnum:22}»:'],
    clean: ['api_{alnum:22}', 'api_response_handler.toUpperCaseOfTheWordss'],
  },
  'cloudflare-api-key': {
    secret: ['client = Cloudflare(api_key="«{word:40}»")'],
    clean: ['"cloudflare_api_key": "{word:36}",', 'const key = process.env.CLOUDFLARE_KEY'],
  },
  'cloudflare-api-token': {
    secret: ['CLOUDFLARE_API_TOKEN=«cfut_{alnum:48}»', 'X-Auth-Key: «cfk_{alnum:48}»'],
    clean: ['cfut_{alnum:20}', 'cfk_get_value_or_default'],
  },
  'cloudflare-global-api-key': {
    secret: ['"cloudflare_api_key": "«{hex:37}»",'],
    clean: [
      '{"cloudflare": {"apiKey": "{[ghijklmnopqrstuvwxyz23]:37}"}}',
      'CLOUDFLARE_API_KEY=${CLOUDFLARE_API_KEY}',
    ],
  },
  'cloudflare-origin-ca-key': {
    secret: ['X-Auth-User-Service-Key: «v1.0-{hex:24}-{hex:146}»'],
    clean: ['v1.0-{hex:24}', 'git tag v1.0-{hex:7}'],
  },
  'cloudflare-turnstile-secret': {
    secret: ['TURNSTILE_SECRET_KEY=«0x4AAAA{alnum:28}»'],
    clean: ['data-sitekey="0x4AAAA{alnum:15}"', '0x4AAAAFFF'],
  },
  'cloudimage-api-key': {
    secret: ['cloudimage_token: «{lower:30}»'],
    clean: ['export CLOUDIMAGE_TOKEN="{lower:20}"', 'const key = process.env.CLOUDIMAGE_KEY'],
  },
  'cloudinary-api-key': {
    secret: ["const cloudinaryApiKey = '«{digits:15}»'"],
    clean: ['cloudinary.api.key={digits:11}', "import { Cloudinary } from 'cloudinary'"],
  },
  'cloudinary-api-secret': {
    secret: ['export CLOUDINARY_TOKEN="«{word:27}»"'],
    clean: ['docker run -e CLOUDINARY_SECRET={word:23} app', 'CLOUDINARY_API_KEY=${CLOUDINARY_API_KEY}'],
  },
  'cloudinary-url': {
    secret: ['CLOUDINARY_URL=cloudinary://{digits:15}:«{word:27}»@acme'],
    clean: ['CLOUDINARY_URL=cloudinary://<key>:<secret>@<cloud>'],
  },
  'cloudmersive-api-key': {
    secret: ['docker run -e CLOUDMERSIVE_SECRET=«{uuid}» app'],
    clean: [
      'cloudmersive_api_key = "{hex:8}-{hex:4}-{hex:4}-{hex:12}"',
      'Create a token in the settings of Cloudmersive and keep it secret.',
    ],
  },
  'cloudplan-api-key': {
    secret: ['GET https://api.cloudplan.com/v1/items?api_key=«{upper:32}»'],
    clean: ["'cloudplan' => ['key' => '{upper:20}'],", 'const key = process.env.CLOUDPLAN_KEY'],
  },
  'cloudsight-api-key': {
    secret: ['cloudsight_api_key = "«{alnum:22}»"'],
    clean: ['<add key="cloudsightApiKey" value="changeme" />', "import { Cloudsight } from 'cloudsight'"],
  },
  'cloudsmith-api-key': {
    secret: ["'cloudsmith' => ['key' => '«{hex:40}»'],", 'CLOUDSMITH_API_KEY=«csa_{alnum:36}»'],
    clean: ['client = Cloudsmith(api_key="{hex:30}")', 'CLOUDSMITH_API_KEY=${CLOUDSMITH_API_KEY}'],
  },
  'cloverly-api-key': {
    secret: ['Authorization: Bearer private_key:«{hex:16}»'],
    clean: ['private_key: ./id_ed25519', 'private_key:{hex:6}'],
  },
  'clustdoc-api-key': {
    secret: ['client = Clustdoc(api_key="«{alnum:60}»")'],
    clean: [
      '"clustdoc_api_key": "{alnum:65}",',
      'Create a token in the settings of Clustdoc and keep it secret.',
    ],
  },
  'cockroachlabs-cloud-api-key': {
    secret: ['COCKROACH_API_KEY=«CCDB1_{alnum:22}_{alnum:40}»'],
    clean: ['CCDB1_{alnum:22}'],
  },
  'coda-api-key': {
    secret: ['"codaio_api_key": "«{uuid}»",'],
    clean: ['{"codaio": {"apiKey": "{hex:8}-{hex:4}-{hex:4}-{hex:12}"}}', "import { Codaio } from 'codaio'"],
  },
  'codacy-api-key': {
    secret: ['CODACY_API_KEY=«{alnum:20}»', 'codacy.api.key=«{hex:32}»'],
    clean: ['codacy_token: {alnum:14}', 'CODACY_API_KEY=${CODACY_API_KEY}'],
  },
  'codeclimate-reporter-id': {
    secret: ['{"codeclimate": {"apiKey": "«{hex:64}»"}}'],
    clean: ["const codeclimateApiKey = '{[ghijklmnopqrstuvwxyz23]:64}'", 'codeclimate_token: changeme'],
  },
  'codecov-access-token': {
    secret: ['codecov_token: «{uuid}»', 'GET https://api.codecov.com/v1/items?api_key=«{lower:32}»'],
    clean: [
      'export CODECOV_TOKEN="{lower:20}"',
      'Create a token in the settings of Codecov and keep it secret.',
    ],
  },
  'codemagic-api-key': {
    secret: ["const codemagicApiKey = '«{word:43}»'"],
    clean: ['codemagic.api.key={word:39}', 'const key = process.env.CODEMAGIC_KEY'],
  },
  'codequiry-api-key': {
    secret: ['export CODEQUIRY_TOKEN="«{alnum:64}»"'],
    clean: ['docker run -e CODEQUIRY_SECRET={alnum:61} app', "import { Codequiry } from 'codequiry'"],
  },
  'codesandbox-api-key': {
    secret: ['[info] connecting with «csb_v1_{word:40}», retrying'],
    clean: ['Authorization: Bearer csb_v1_{word:36}'],
  },
  'cohere-api-token': {
    secret: ['docker run -e COHERE_SECRET=«{alnum:40}» app'],
    clean: ['cohere_api_key = "{alnum:37}"', 'cohere_token: changeme'],
  },
  'coinapi-api-key': {
    secret: ['GET https://api.coinapi.com/v1/items?api_key=«{uuid}»'],
    clean: [
      "'coinapi' => ['key' => '{hex:8}-{hex:4}-{hex:4}-{hex:12}'],",
      'Create a token in the settings of Coinapi and keep it secret.',
    ],
  },
  'coinbase-access-token': {
    secret: ['coinbase_api_key = "«{word:64}»"'],
    clean: ['<add key="coinbaseApiKey" value="{word:60}" />', 'const key = process.env.COINBASE_KEY'],
  },
  'coinbase-api-key': {
    secret: ['{"name": "«organizations/{uuid}/apiKeys/{uuid}»"}'],
    clean: ['organizations/{uuid}/projects/{uuid}', '/v1/organizations/{id}/apiKeys/{id}'],
  },
  'coinlayer-api-key': {
    secret: ['<add key="coinlayerApiKey" value="«{lower:32}»" />'],
    clean: ['      COINLAYER_KEY: "{lower:30}"', 'COINLAYER_API_KEY=${COINLAYER_API_KEY}'],
  },
  'coinlib-api-key': {
    secret: ['client = Coinlib(api_key="«{lower:16}»")'],
    clean: ['"coinlib_api_key": "{lower:19}",', 'coinlib_token: changeme'],
  },
  'collect2-api-key': {
    secret: ['      COLLECT2_KEY: "«{alnum:32}»"'],
    clean: ['COLLECT2_API_KEY=changeme', 'Create a token in the settings of Collect2 and keep it secret.'],
  },
  'column-api-key': {
    secret: ['"column_bank_api_key": "«live_{alnum:27}»",'],
    clean: [
      '{"column_bank": {"apiKey": "test_{alnum:12}"}}',
      'docker run -e COLUMN_BANK_SECRET=live_results_updated_at app',
      'const key = process.env.COLUMN_BANK_KEY',
    ],
  },
  'composio-api-key': {
    secret: ['COMPOSIO_API_KEY=«ak_{word:20}»'],
    clean: ['composio_token: ak_{alnum:8}', "import { Composio } from 'composio'"],
  },
  'configcat-sdk-key': {
    secret: ['{"configcat": {"apiKey": "«{word:22}/{word:22}»"}}'],
    clean: ["const configcatApiKey = '{word:22}'", 'CONFIGCAT_API_KEY=${CONFIGCAT_API_KEY}'],
  },
  'configcat-sdk-key-extended': {
    secret: ['client = configcatclient.get("«configcat-sdk-1/{word:22}/{word:22}»")'],
    clean: ['configcat-sdk-1/{word:8}'],
  },
  'confluent-access-token': {
    secret: ["const confluentApiKey = '«{alnum:16}»'"],
    clean: [
      'confluent.api.key={alnum:21}',
      'Create a token in the settings of Confluent and keep it secret.',
    ],
  },
  'confluent-api-secret': {
    secret: ['sasl.password=«cflt{base64:60}»'],
    clean: ['cflt{base64:20}'],
  },
  'confluent-secret-key': {
    secret: ['confluent.api.key=«{alnum:64}»', '<add key="confluentApiKey" value="«{base64:64}»" />'],
    clean: [
      'GET https://api.confluent.com/v1/items?api_key={alnum:48}',
      "import { Confluent } from 'confluent'",
    ],
  },
  'contentful-delivery-api-token': {
    secret: ['docker run -e CONTENTFUL_SECRET=«{word:43}» app', 'client = Contentful(api_key="«{hex:64}»")'],
    clean: ['contentful_api_key = "{alnum:30}"', 'CONTENTFUL_API_KEY=${CONTENTFUL_API_KEY}'],
  },
  'contentful-personal-access-token': {
    secret: ['[info] connecting with «CFPAT-{word:43}», retrying'],
    clean: ['Authorization: Bearer CFPAT-{word:39}'],
  },
  'contentstack-token': {
    secret: ['contentstack_api_key = "«cs{hex:38}»"'],
    clean: [
      '<add key="contentstackApiKey" value="cs{hex:8}" />',
      'Create a token in the settings of Contentstack and keep it secret.',
    ],
  },
  'context7-api-key': {
    secret: ['npx @upstash/context7-mcp --api-key «ctx7sk-{uuid}»'],
    clean: ['ctx7sk-{alnum:5}'],
  },
  'convertapi-key': {
    secret: [
      '<add key="convertapiApiKey" value="«secret_{alnum:16}»" />',
      '{"convertapi": {"apiKey": "«{alnum:16}»"}}',
      'docker run -e CONVERTAPI_SECRET=«{alnum:32}» app',
    ],
    clean: ['      CONVERTAPI_KEY: "secret_{alnum:6}"', "import { Convertapi } from 'convertapi'"],
  },
  'convertkit-api-key': {
    secret: [
      'client = Convertkit(api_key="«{word:22}»")',
      'convertkit_token: «{word:43}»',
      'GET https://api.convertkit.com/v1/items?api_key=«kit_{hex:32}»',
    ],
    clean: ['"convertkit_api_key": "{alnum:12}",', 'CONVERTKIT_API_KEY=${CONVERTKIT_API_KEY}'],
  },
  'convex-deploy-key': {
    secret: ['CONVEX_DEPLOY_KEY="«prod:happy-otter-123|eyJ{alnum:80}»"'],
    clean: ['CONVEX_DEPLOYMENT=dev:happy-otter-123'],
  },
  'coolify-api-token': {
    secret: ['"coolify_api_key": "3|«{alnum:48}»",'],
    clean: [
      '{"coolify": {"apiKey": "3|{alnum:8}"}}',
      'Create a token in the settings of Coolify and keep it secret.',
    ],
  },
  'couchbase-capella-api-key': {
    secret: ['COUCHBASE_API_KEY=«{base64:86}==»', 'couchbase.api.key=«{alnum:64}»'],
    clean: ['couchbase_token: {alnum:30}', 'const key = process.env.COUCHBASE_KEY'],
  },
  'countrylayer-api-key': {
    secret: ['{"countrylayer": {"apiKey": "«{lower:32}»"}}'],
    clean: ["const countrylayerApiKey = '{lower:35}'", "import { Countrylayer } from 'countrylayer'"],
  },
  'courier-api-key': {
    secret: ['courier_token: «pk_prod_{upper:28}»'],
    clean: ['export COURIER_TOKEN="pk_prod_{upper:12}"', 'COURIER_API_KEY=${COURIER_API_KEY}'],
  },
  'coveralls-api-key': {
    secret: ["const coverallsApiKey = '«{alnum:33}»'", 'coveralls_api_key = "«{alnum:37}»"'],
    clean: ['coveralls.api.key={alnum:20}', 'coveralls_token: changeme'],
  },
  'coze-api-key': {
    secret: ['Authorization: Bearer «pat_{alnum:64}»'],
    clean: ['API_KEY=pat_{alnum:61}'],
  },
  'craftmypdf-api-key': {
    secret: ['craftmypdf.api.key=«{alnum:35}»'],
    clean: [
      'GET https://api.craftmypdf.com/v1/items?api_key=changeme',
      'const key = process.env.CRAFTMYPDF_KEY',
    ],
  },
  'crates-io-api-key': {
    secret: ['{"token":"«cio{alnum:32}»","scope":"all"}'],
    clean: ['[info] connecting with cio{alnum:29}, retrying'],
  },
  'credentials-in-odbc-connection-string': {
    secret: [
      'Driver={ODBC Driver 18 for SQL Server};Server=db1;Database=shop;Uid=app;Pwd=«{alnum:14}»;Encrypt=yes',
      '"Server=db1;Database=shop;User Id=app;Password=«{alnum:12}!»;"',
    ],
    clean: [
      'Driver={SQL Server};Server=db1;Uid=app;Trusted_Connection=yes',
      'Server=db1;Uid=app;Pwd=${DB_PASSWORD};',
    ],
  },
  'crowdin-api-key': {
    secret: ['crowdin_api_key = "«{lower:80}»"'],
    clean: ['<add key="crowdinApiKey" value="{lower:78}" />', 'crowdin_token: changeme'],
  },
  'cryptocompare-api-key': {
    secret: ["'cryptocompare' => ['key' => '«{lower:64}»'],"],
    clean: [
      'client = Cryptocompare(api_key="{lower:67}")',
      'Create a token in the settings of Cryptocompare and keep it secret.',
    ],
  },
  'currencyfreaks-api-key': {
    secret: ['<add key="currencyfreaksApiKey" value="«{lower:32}»" />'],
    clean: ['      CURRENCYFREAKS_KEY: "{lower:30}"', 'const key = process.env.CURRENCYFREAKS_KEY'],
  },
  'currencylayer-api-key': {
    secret: ['client = Currencylayer(api_key="«{lower:32}»")'],
    clean: ['"currencylayer_api_key": "{lower:35}",', "import { Currencylayer } from 'currencylayer'"],
  },
  'currencyscoop-api-key': {
    secret: ['      CURRENCYSCOOP_KEY: "«{alnum:32}»"'],
    clean: ['CURRENCYSCOOP_API_KEY={alnum:29}', 'CURRENCYSCOOP_API_KEY=${CURRENCYSCOOP_API_KEY}'],
  },
  'currentsapi-key': {
    secret: ['"currentsapi_api_key": "«{word:48}»",'],
    clean: ['{"currentsapi": {"apiKey": "{word:44}"}}', 'currentsapi_token: changeme'],
  },
  'cursor-api-key': {
    secret: ['agent --api-key «crsr_{hex:64}»'],
    clean: ['crsr_{hex:8}'],
  },
  'cursor-api-key-named': {
    secret: ['{"cursor": {"apiKey": "«key_{hex:64}»"}}'],
    clean: ["const cursorApiKey = 'key_{hex:32}'", 'const key = process.env.CURSOR_KEY'],
  },
  'customerio-api-key': {
    secret: ['customerio_token: «{hex:32}»'],
    clean: ['export CUSTOMERIO_TOKEN="{hex:30}"', "import { Customerio } from 'customerio'"],
  },
  'cypress-record-key': {
    secret: ["const cypress_recordApiKey = '«{uuid}»'"],
    clean: [
      'cypress_record.api.key={hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'CYPRESS_RECORD_API_KEY=${CYPRESS_RECORD_API_KEY}',
    ],
  },
}
