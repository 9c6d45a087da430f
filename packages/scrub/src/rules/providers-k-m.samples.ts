import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesKM: RuleSamples = {
  'kagi-api-key': {
    secret: ['export KAGI_API_KEY=«{word:11}.{word:43}»'],
    clean: ['KAGI_API_KEY={word:11}.{word:30}', 'kagi_api_key = os.environ["KAGI_API_KEY"]'],
  },
  'karmacrm-api-key': {
    secret: ['{"karmacrm": {"api_key": "«{alnum:20}»"}}'],
    clean: ['karmacrm_api_key: {alnum:21}', 'const karmacrmApiKey = await vault.read("karmacrm_api_key")'],
  },
  'kickbox-api-key': {
    secret: ['kickbox_api_key: «live_{hex:64}»'],
    clean: ['KICKBOX_API_KEY="live_{hex:66}"', 'API_KEY=live_{hex:64}'],
  },
  'kimi-api-key': {
    secret: ['TOKEN=«sk-kimi-{alnum:64}»'],
    clean: ['sk-kimi-k2-instruct-preview', 'sk-kimi-{alnum:20}'],
  },
  'klaviyo-api-key': {
    secret: ['curl -H "Authorization: Bearer «pk_{hex:34}»" https://api.example.com/me'],
    clean: ['pk_{hex:32}', 'CONSTRAINT pk_customer_order_line_history PRIMARY KEY'],
  },
  'klipfolio-api-key': {
    secret: ["const klipfolioApiKey = '«{hex:40}»'"],
    clean: ['klipfolio_api_key: {hex:41}', 'klipfolio_api_key = os.environ["KLIPFOLIO_API_KEY"]'],
  },
  'knapsackpro-token': {
    secret: ['settings.knapsack_pro_test_suite_token = "«{hex:32}»"'],
    clean: ['KNAPSACK_PRO_TEST_SUITE_TOKEN="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'kontent-api-key': {
    secret: ['{"auth":{"value":"«ew0KICAiYWxnI{alnum:40}.ew0K{alnum:160}.{word:43}»"}}'],
    clean: ['ew0KICAiYWxnI{alnum:40}', 'ew0KICAiYWxnI{alnum:40}.{alnum:12}.{word:43}'],
  },
  'kraken-access-token': {
    secret: ['<add key="KrakenAccessToken" value="«{base64:86}==»" />'],
    clean: ['KRAKEN_ACCESS_TOKEN={alnum:70}', 'kraken_access_token = os.environ["KRAKEN_ACCESS_TOKEN"]'],
  },
  'kucoin-access-token': {
    secret: ['  KUCOIN_ACCESS_TOKEN: "«{hex:24}»" # rotated in May'],
    clean: [
      'kucoin_access_token: {hex:25}',
      'const kucoinAccessToken = await vault.read("kucoin_access_token")',
    ],
  },
  'kucoin-secret-key': {
    secret: ['KucoinClient(kucoin_secret_key="«{uuid}»")'],
    clean: ['KUCOIN_SECRET_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'kylas-api-key': {
    secret: ['$env:KYLAS_API_KEY = "«{uuid}:{digits:5}»"'],
    clean: ['KYLAS_API_KEY={hex:8}-{hex:4}-{hex:4}:4711', 'kylas_api_key = os.environ["KYLAS_API_KEY"]'],
  },
  'lambda-cloud-api-key': {
    secret: ['-e LAMBDA_CLOUD_API_KEY=«secret_ci_{hex:32}.{alnum:32}» -p 8080:80'],
    clean: [
      'LAMBDA_CLOUD_API_KEY=secret_ci_{hex:32}',
      'const lambdaCloudApiKey = await vault.read("lambda_cloud_api_key")',
    ],
  },
  'langchain-langsmith-personal-access-token': {
    secret: ['deploy --with «lsv2_pt_{hex:32}_{hex:10}» --yes'],
    clean: ['GET /v1/items?key=lsv2_pt_{hex:32}_{hex:9}&limit=5 200', 'lsv2_pt_{hex:32}_{hex:12}'],
  },
  'langchain-langsmith-service-key': {
    secret: ['GET /v1/items?key=«lsv2_sk_{hex:32}_{hex:10}»&limit=5 200'],
    clean: ["client = Client('lsv2_sk_{hex:32}_{hex:9}')", 'lsv2_sk_{hex:32}_{hex:12}'],
  },
  'langfuse-secret-key': {
    secret: ["client = Client('«sk-lf-{uuid}»')"],
    clean: [
      '[warn] retry with sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:12}, attempt 2',
      'sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
    ],
  },
  'langsmith-legacy-api-key': {
    secret: ['[warn] retry with «ls__{hex:32}», attempt 2'],
    clean: ['value: ls__{hex:31}', 'ls__{hex:34}'],
  },
  'languagelayer-api-key': {
    secret: ['languagelayer.api.key=«{hex:32}»'],
    clean: ['LANGUAGELAYER_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'lark-app-secret': {
    secret: ['{"name":"LARK_APP_SECRET","value":"«{alnum:32}»"}'],
    clean: ['lark_app_secret: {alnum:31}', 'lark_app_secret = os.environ["LARK_APP_SECRET"]'],
  },
  'launchdarkly-access-token': {
    secret: ["'launchdarkly_access_token' => '«{word:40}»',"],
    clean: [
      'launchdarkly_access_token: {word:39}',
      'const launchdarklyAccessToken = await vault.read("launchdarkly_access_token")',
    ],
  },
  'launchdarkly-api-key': {
    secret: ['value: «sdk-{uuid}»'],
    clean: ['sdk-{hex:8}-{hex:4}-{hex:4}', 'req-{uuid}'],
  },
  'leadfeeder-api-key': {
    secret: ['docker run --env LEADFEEDER_API_KEY="«{word:43}»" app'],
    clean: ['leadfeeder_api_key: {word:42}', 'API_KEY={word:43}'],
  },
  'lemlist-api-key': {
    secret: ['export LEMLIST_API_KEY=«{hex:32}»'],
    clean: ['lemlist_api_key: {hex:33}', 'lemlist_api_key = os.environ["LEMLIST_API_KEY"]'],
  },
  'lemonsqueezy-api-token': {
    secret: ['{"lemonsqueezy": {"api_token": "«eyJ{alnum:17}.eyJ{word:90}.{word:43}»"}}'],
    clean: [
      'LEMONSQUEEZY_API_TOKEN=eyJ{alnum:17}.{word:8}',
      'LEMONSQUEEZY_API_TOKEN={alnum:24}',
      'const lemonsqueezyApiToken = await vault.read("lemonsqueezy_api_token")',
    ],
  },
  'lendflow-api-key': {
    secret: ['lendflow_api_key: «eyJ{alnum:17}.eyJ{word:90}.{word:43}»'],
    clean: [
      'LENDFLOW_API_KEY=eyJ{alnum:17}.{word:8}',
      'LENDFLOW_API_KEY={alnum:24}',
      'API_KEY=eyJ{alnum:17}.eyJ{word:90}.{word:43}',
    ],
  },
  'lessannoyingcrm-api-key': {
    secret: ["const lessannoyingcrmApiKey = '«{digits:7}-{digits:31}-{alnum:50}»'"],
    clean: [
      'LESSANNOYINGCRM_API_KEY={digits:7}-{alnum:20}',
      'lessannoyingcrm_api_key = os.environ["LESSANNOYINGCRM_API_KEY"]',
    ],
  },
  'lexigram-api-key': {
    secret: [
      'curl -H "X-Lexigram-Api-Key: «eyJ{alnum:17}.eyJ{word:90}.{word:43}»" https://api.example.com/v1/me',
    ],
    clean: [
      'LEXIGRAM_API_KEY=eyJ{alnum:17}.{word:8}',
      'LEXIGRAM_API_KEY={alnum:24}',
      'const lexigramApiKey = await vault.read("lexigram_api_key")',
    ],
  },
  'lichess-personal-access-token': {
    secret: ['use `«lip_{alnum:20}»` for staging'],
    clean: ['lip_{alnum:12}', 'lip_sync_mouth_shape_controller'],
  },
  'lighton-paradigm-api-key': {
    secret: ['settings.lighton_paradigm_api_key = "«{alnum:8}.{alnum:32}»"'],
    clean: ['LIGHTON_PARADIGM_API_KEY="{alnum:8}.{alnum:34}"', 'API_KEY={alnum:8}.{alnum:32}'],
  },
  'line-channel-access-token': {
    secret: ['CHANNEL="«{base64:158}dB04t89/1O/w1cDnyilFU=»"'],
    clean: ['{alnum:30}w1cDnyilFU=', 'see w1cDnyilFU= at the end'],
  },
  'line-messaging-api-token': {
    secret: ['  LINE_MESSAGING_API_TOKEN: "«{base64:171}=»" # rotated in May'],
    clean: [
      'LINE_MESSAGING_API_TOKEN={alnum:120}',
      'const lineMessagingApiToken = await vault.read("line_messaging_api_token")',
    ],
  },
  'line-notify-api-key': {
    secret: ['LineClient(line_notify_api_key="«{alnum:43}»")'],
    clean: ['LINE_NOTIFY_API_KEY="{alnum:45}"', 'API_KEY={alnum:43}'],
  },
  'linear-api-key': {
    secret: ['<token>«lin_api_{alnum:40}»</token>'],
    clean: ['lin_api_{alnum:20}', 'lin_api_client_configuration_defaults_and_more'],
  },
  'linear-client-secret': {
    secret: ['$env:LINEAR_CLIENT_SECRET = "«{hex:32}»"'],
    clean: ['linear_client_secret: {hex:31}', 'linear_client_secret = os.environ["LINEAR_CLIENT_SECRET"]'],
  },
  'linear-oauth-token': { secret: ['TOKEN=«lin_oauth_{hex:64}»'], clean: ['lin_oauth_{hex:20}'] },
  'linkedin-client-id': {
    secret: ['-e LINKEDIN_CLIENT_ID=«{lower:14}» -p 8080:80'],
    clean: [
      'linkedin_client_id: {lower:15}',
      'const linkedinClientId = await vault.read("linkedin_client_id")',
    ],
  },
  'linkedin-client-secret': {
    secret: ['linkedin.client.secret=«{alnum:16}»'],
    clean: ['LINKEDIN_CLIENT_SECRET="{alnum:18}"', 'API_KEY={alnum:16}'],
  },
  'linkpreview-api-key': {
    secret: ['{"name":"LINKPREVIEW_API_KEY","value":"«{hex:32}»"}'],
    clean: ['linkpreview_api_key: {hex:33}', 'linkpreview_api_key = os.environ["LINKPREVIEW_API_KEY"]'],
  },
  'liveblocks-secret-key': {
    secret: ['curl -H "Authorization: Bearer «sk_prod_{word:64}»" https://api.example.com/me'],
    clean: ['sk_prod_{word:24}', 'sk_dev_tools'],
  },
  'livestorm-api-key': {
    secret: ["'livestorm_api_key' => '«eyJ{alnum:17}.eyJ{word:90}.{word:43}»',"],
    clean: [
      'LIVESTORM_API_KEY=eyJ{alnum:17}.{word:8}',
      'LIVESTORM_API_KEY={alnum:24}',
      'const livestormApiKey = await vault.read("livestorm_api_key")',
    ],
  },
  'llamacloud-api-key': { secret: ['{"auth":{"value":"«llx-{alnum:48}»"}}'], clean: ['llx-{alnum:12}'] },
  'loadmill-api-key': {
    secret: ['docker run --env LOADMILL_API_KEY="«{alnum:40}»" app'],
    clean: ['LOADMILL_API_KEY="{alnum:42}"', 'API_KEY={alnum:40}'],
  },
  'lob-api-key': {
    secret: ['deploy --with «live_{hex:35}» --yes'],
    clean: ['test_{hex:32}', 'live_{hex:40}'],
  },
  'lob-pub-api-key': {
    secret: ['GET /v1/items?key=«test_pub_{hex:31}»&limit=5 200'],
    clean: ["client = Client('test_pub_{hex:30}')", 'test_pub_{hex:33}'],
  },
  'loginradius-api-key': {
    secret: ['export LOGINRADIUS_API_KEY=«{uuid}»'],
    clean: [
      'loginradius_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'loginradius_api_key = os.environ["LOGINRADIUS_API_KEY"]',
    ],
  },
  'logz-io-api-key': {
    secret: ['logz_io_api_key: «{letters:32}»'],
    clean: ['LOGZ_IO_API_KEY={letters:31}', 'API_KEY={letters:32}'],
  },
  'lokalise-api-key': {
    secret: ["const lokaliseApiKey = '«{hex:40}»'"],
    clean: ['lokalise_api_key: {hex:41}', 'lokalise_api_key = os.environ["LOKALISE_API_KEY"]'],
  },
  'looker-client-id': {
    secret: ['curl -H "X-Looker-Client-Id: «{alnum:20}»" https://api.example.com/v1/me'],
    clean: ['looker_client_id: {alnum:19}', 'const lookerClientId = await vault.read("looker_client_id")'],
  },
  'looker-client-secret': {
    secret: ['settings.looker_client_secret = "«{alnum:24}»"'],
    clean: ['LOOKER_CLIENT_SECRET="{alnum:26}"', 'API_KEY={alnum:24}'],
  },
  'loyverse-api-key': {
    secret: ['<add key="LoyverseApiKey" value="«{hex:32}»" />'],
    clean: ['loyverse_api_key: {hex:31}', 'loyverse_api_key = os.environ["LOYVERSE_API_KEY"]'],
  },
  'lunchmoney-api-key': {
    secret: ['  LUNCHMONEY_API_KEY: "«{hex:50}»" # rotated in May'],
    clean: [
      'lunchmoney_api_key: {hex:51}',
      'const lunchmoneyApiKey = await vault.read("lunchmoney_api_key")',
    ],
  },
  'madkudu-api-key': {
    secret: ['MadkuduClient(madkudu_api_key="«{hex:32}»")'],
    clean: ['MADKUDU_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'magnetic-api-token': {
    secret: ['$env:MAGNETIC_API_TOKEN = "«{uuid}»"'],
    clean: [
      'magnetic_api_token: {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
      'magnetic_api_token = os.environ["MAGNETIC_API_TOKEN"]',
    ],
  },
  'mailboxlayer-api-key': {
    secret: ['-e MAILBOXLAYER_API_KEY=«{hex:32}» -p 8080:80'],
    clean: [
      'mailboxlayer_api_key: {hex:31}',
      'const mailboxlayerApiKey = await vault.read("mailboxlayer_api_key")',
    ],
  },
  'mailchimp-api-key': {
    secret: ['MAILCHIMP=«{hex:32}-us14»', '{"apiKey":"«{hex:32}-us6»"}'],
    clean: ['{hex:31}-us14', 'build-{hex:40}-us-east-1', '{hex:32}-usage'],
  },
  'mailerlite-api-key': {
    secret: ['mailerlite.api.key=«{hex:32}»'],
    clean: ['MAILERLITE_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'mailersend-api-token': {
    secret: ["client = Client('«mlsn.{hex:64}»')"],
    clean: ['[warn] retry with mlsn.{hex:63}, attempt 2', 'mlsn.{hex:66}'],
  },
  'mailgun-private-api-token': {
    secret: ['{"name":"MAILGUN_PRIVATE_API_TOKEN","value":"«key-{hex:32}»"}'],
    clean: [
      'mailgun_private_api_token: key-{hex:31}',
      'mailgun_private_api_token = os.environ["MAILGUN_PRIVATE_API_TOKEN"]',
    ],
  },
  'mailgun-pub-key': {
    secret: ["'mailgun_pub_key' => '«pubkey-{hex:32}»',"],
    clean: ['mailgun_pub_key: pubkey-{hex:33}', 'const mailgunPubKey = await vault.read("mailgun_pub_key")'],
  },
  'mailgun-signing-key': {
    secret: ['docker run --env MAILGUN_SIGNING_KEY="«{hex:32}-{hex:8}-{hex:8}»" app'],
    clean: ['MAILGUN_SIGNING_KEY="{hex:32}-{hex:8}-{hex:10}"', 'API_KEY={hex:32}-{hex:8}-{hex:8}'],
  },
  'mailjet-basic-auth': {
    secret: ['export MAILJET_BASIC_AUTH=«{alnum:87}=»'],
    clean: ['MAILJET_BASIC_AUTH={alnum:60}=', 'mailjet_basic_auth = os.environ["MAILJET_BASIC_AUTH"]'],
  },
  'mailjetsms-api-key': {
    secret: ['{"mailjetsms": {"api_key": "«{hex:32}»"}}'],
    clean: [
      'mailjetsms_api_key: {hex:31}',
      'const mailjetsmsApiKey = await vault.read("mailjetsms_api_key")',
    ],
  },
  'mailmodo-api-key': {
    secret: ['mailmodo_api_key: «{upper:7}-{upper:7}-{upper:7}-{upper:7}»'],
    clean: [
      'MAILMODO_API_KEY="{upper:7}-{upper:7}-{upper:7}-{upper:9}"',
      'API_KEY={upper:7}-{upper:7}-{upper:7}-{upper:7}',
    ],
  },
  'mailsac-api-key': {
    secret: ["const mailsacApiKey = '«k_{alnum:40}»'"],
    clean: ['MAILSAC_API_KEY=k_{alnum:12}', 'mailsac_api_key = os.environ["MAILSAC_API_KEY"]'],
  },
  'mandrill-api-key': {
    secret: ['curl -H "X-Mandrill-Api-Key: «md-{word:22}»" https://api.example.com/v1/me'],
    clean: ['MANDRILL_API_KEY=md-{word:12}', 'const mandrillApiKey = await vault.read("mandrill_api_key")'],
  },
  'mapbox-api-token': {
    secret: ['settings.mapbox_api_token = "«pk.{alnum:60}.{alnum:22}»"'],
    clean: ['MAPBOX_API_TOKEN="pk.{alnum:60}.{alnum:24}"', 'API_KEY=pk.{alnum:60}.{alnum:22}'],
  },
  'mapbox-secret-access-token': {
    secret: ['[warn] retry with «sk.eyJ1{alnum:70}.{word:22}», attempt 2'],
    clean: ['sk.eyJ1{alnum:70}', 'pk.eyJ1{alnum:10}.{word:22}'],
  },
  'mapquest-api-key': {
    secret: ['<add key="MapquestApiKey" value="«{alnum:32}»" />'],
    clean: ['mapquest_api_key: {alnum:33}', 'mapquest_api_key = os.environ["MAPQUEST_API_KEY"]'],
  },
  'marketstack-api-key': {
    secret: ['  MARKETSTACK_API_KEY: "«{hex:32}»" # rotated in May'],
    clean: [
      'marketstack_api_key: {hex:31}',
      'const marketstackApiKey = await vault.read("marketstack_api_key")',
    ],
  },
  'mattermost-access-token': {
    secret: ['MattermostClient(mattermost_access_token="«{lower:26}»")'],
    clean: ['MATTERMOST_ACCESS_TOKEN="{lower:28}"', 'API_KEY={lower:26}'],
  },
  'mavenlink-api-key': {
    secret: ['$env:MAVENLINK_API_KEY = "«{hex:64}»"'],
    clean: ['mavenlink_api_key: {hex:63}', 'mavenlink_api_key = os.environ["MAVENLINK_API_KEY"]'],
  },
  'maxmind-legacy-license-key': {
    secret: ['-e MAXMIND_LICENSE_KEY=«{alnum:16}» -p 8080:80'],
    clean: [
      'maxmind_license_key: {alnum:17}',
      'const maxmindLicenseKey = await vault.read("maxmind_license_key")',
    ],
  },
  'maxmind-license-key': {
    secret: ['LicenseKey «{alnum:6}_{alnum:29}_mmk»', 'license_key=«{alnum:6}_{alnum:29}_mmk»&suffix=tar.gz'],
    clean: ['{alnum:6}_{alnum:20}_mmk', 'free(ctx->page_mmk)'],
  },
  'mediastack-api-key': {
    secret: ['mediastack.api.key=«{hex:32}»'],
    clean: ['MEDIASTACK_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'meistertask-api-key': {
    secret: ['{"name":"MEISTERTASK_API_KEY","value":"«{word:43}»"}'],
    clean: ['meistertask_api_key: {word:42}', 'meistertask_api_key = os.environ["MEISTERTASK_API_KEY"]'],
  },
  'mem0-api-key': {
    secret: ['value: «m0-{alnum:40}»'],
    clean: ['use `m0-{alnum:39}` for staging', 'm0-{alnum:42}'],
  },
  'mercury-production-api-token': {
    secret: ['use `«mercury_production_wma_{alnum:44}_yrucrem»` for staging'],
    clean: ['mercury_production_wma_{alnum:8}_yrucrem', 'mercury_sandbox_account_balance_history'],
  },
  'mergify-application-key': {
    secret: ["'mergify_application_key' => '«{alnum:64}»',"],
    clean: [
      'MERGIFY_APPLICATION_KEY={alnum:24}',
      'const mergifyApplicationKey = await vault.read("mergify_application_key")',
    ],
  },
  'mesibo-api-key': {
    secret: ['docker run --env MESIBO_API_KEY="«{lower:64}»" app'],
    clean: ['MESIBO_API_KEY="{lower:66}"', 'API_KEY={lower:64}'],
  },
  'messagebird-api-token': {
    secret: ['export MESSAGEBIRD_API_TOKEN=«{alnum:25}»'],
    clean: [
      'messagebird_api_token: {alnum:24}',
      'messagebird_api_token = os.environ["MESSAGEBIRD_API_TOKEN"]',
    ],
  },
  'messagebird-client-id': {
    secret: ['messagebird_client_id: «{uuid}»'],
    clean: ['MESSAGEBIRD_CLIENT_ID="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'meta-llama-api-key': {
    secret: ['LLAMA="«LLM|{digits:16}|{word:27}»"'],
    clean: ['LLM|{digits:4}|{word:27}', '| LLM|context|price |'],
  },
  'metrilo-api-key': {
    secret: ["const metriloApiKey = '«{lower:16}»'"],
    clean: ['metrilo_api_key: {lower:17}', 'metrilo_api_key = os.environ["METRILO_API_KEY"]'],
  },
  'microsoft-teams-webhook': {
    secret: [
      'https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»',
      'url: https://outlook.office.com/webhook/«{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»',
    ],
    clean: [
      'https://acme.webhook.office.com/webhookb2/{uuid}/IncomingWebhook/{hex:32}/',
      'https://learn.microsoft.com/connectors/IncomingWebhook/overview',
    ],
  },
  'midtrans-production-server-client-key': {
    secret: ['<token>«Mid-server-{word:24}»</token>'],
    clean: ['Mid-server-{alnum:8}', 'mid-server-{word:24}'],
  },
  'mindmeister-api-key': {
    secret: ['curl -H "X-Mindmeister-Api-Key: «{word:43}»" https://api.example.com/v1/me'],
    clean: [
      'mindmeister_api_key: {word:42}',
      'const mindmeisterApiKey = await vault.read("mindmeister_api_key")',
    ],
  },
  'minimax-api-key': {
    secret: ['settings.minimax_api_key = "«sk-api-{word:100}»"'],
    clean: ['MINIMAX_API_KEY=sk-api-{word:20}', 'API_KEY=sk-api-{word:100}'],
  },
  'miro-access-token': {
    secret: ['TOKEN=«eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{word:27}»'],
    clean: ['eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ', 'eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{word:12}'],
  },
  'miro-api-key': {
    secret: ['<add key="MiroApiKey" value="«{alnum:27}»" />'],
    clean: ['miro_api_key: {alnum:26}', 'miro_api_key = os.environ["MIRO_API_KEY"]'],
  },
  'mistral-api-key': {
    secret: ['  MISTRAL_API_KEY: "«{alnum:32}»" # rotated in May'],
    clean: ['mistral_api_key: {alnum:33}', 'const mistralApiKey = await vault.read("mistral_api_key")'],
  },
  'mixmax-api-key': {
    secret: ['MixmaxClient(mixmax_api_key="«{word:36}»")'],
    clean: ['mixmax_api_key: {word:35}', 'API_KEY={word:36}'],
  },
  'modal-token-secret': {
    secret: ['curl -H "Authorization: Bearer «as-{alnum:22}»" https://api.example.com/me'],
    clean: ['as-{alnum:12}', 'software-as-{alnum:18}'],
  },
  'moderation-api-key': {
    secret: ['$env:MODERATION_API_KEY = "«eyJ{alnum:17}.eyJ{word:90}.{word:43}»"'],
    clean: ['MODERATION_API_KEY={alnum:20}', 'moderation_api_key = os.environ["MODERATION_API_KEY"]'],
  },
  'monday-api-key': {
    secret: ['-e MONDAY_API_KEY=«eyJ{alnum:17}.eyJ{word:90}.{word:43}» -p 8080:80'],
    clean: [
      'MONDAY_API_KEY=eyJ{alnum:17}.{word:8}',
      'MONDAY_API_KEY={alnum:24}',
      'const mondayApiKey = await vault.read("monday_api_key")',
    ],
  },
  'mongodb-api-private-key': {
    secret: ['{"name":"MONGODB_API_PRIVATE_KEY","value":"«{uuid}»"}'],
    clean: [
      'mongodb_api_private_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'mongodb_api_private_key = os.environ["MONGODB_API_PRIVATE_KEY"]',
    ],
  },
  'mongodb-atlas-service-account-id': {
    secret: ['{"auth":{"value":"«mdb_sa_id_{hex:24}»"}}'],
    clean: ['deploy --with mdb_sa_id_{hex:23} --yes', 'mdb_sa_id_{hex:26}'],
  },
  'mongodb-atlas-service-account-secret': {
    secret: ['deploy --with «mdb_sa_sk_{word:40}» --yes'],
    clean: ['mdb_sa_sk_{alnum:12}'],
  },
  'mongodb-atlas-service-account-token': {
    secret: ["'mongodb_atlas_service_account_token' => '«eyJ{alnum:17}.eyJ{word:90}.{word:43}»',"],
    clean: [
      'MONGODB_ATLAS_SERVICE_ACCOUNT_TOKEN=eyJ{alnum:17}.{word:8}',
      'MONGODB_ATLAS_SERVICE_ACCOUNT_TOKEN={alnum:24}',
      'const mongodbAtlasServiceAccountToken = await vault.read("mongodb_atlas_service_account_token")',
    ],
  },
  'mongodb-connection-string': {
    secret: [
      'MONGO_URL=mongodb+srv://app:«{alnum:18}»@cluster0.ab1cd.mongodb.net/prod',
      "uri: 'mongodb://root:«{letters:6}%21{digits:4}»@db1:27017,db2:27017/admin?replicaSet=rs0'",
    ],
    clean: [
      'mongodb://localhost:27017/app',
      'mongodb://${USER}:${PASSWORD}@db/app',
      'mongodb+srv://<user>:<password>@cluster0.mongodb.net',
    ],
  },
  'monkeylearn-api-key': {
    secret: ['docker run --env MONKEYLEARN_API_KEY="«{hex:40}»" app'],
    clean: ['MONKEYLEARN_API_KEY="{hex:42}"', 'API_KEY={hex:40}'],
  },
  'moonclerk-api-key': {
    secret: ['export MOONCLERK_API_KEY=«{hex:32}»'],
    clean: ['moonclerk_api_key: {hex:33}', 'moonclerk_api_key = os.environ["MOONCLERK_API_KEY"]'],
  },
  'moonshot-api-key': {
    secret: ['{"moonshot": {"api_key": "«sk-{alnum:48}»"}}'],
    clean: ['moonshot_api_key: sk-{alnum:47}', 'const moonshotApiKey = await vault.read("moonshot_api_key")'],
  },
  'moosend-api-key': {
    secret: ['moosend_api_key: «{uuid}»'],
    clean: ['MOOSEND_API_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'moralis-api-key': {
    secret: ["const moralisApiKey = '«{alnum:64}»'"],
    clean: ['moralis_api_key: {alnum:63}', 'moralis_api_key = os.environ["MORALIS_API_KEY"]'],
  },
  'myintervals-api-key': {
    secret: ['settings.intervals_api_key = "«{lower:11}»"'],
    clean: ['INTERVALS_API_KEY="{lower:13}"', 'API_KEY={lower:11}'],
  },
}
