import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesKM: RuleSamples = {
  'kagi-api-key': {
    ok: ['export KAGI_API_KEY=«{word:11}.{word:43}»'],
    bad: ['KAGI_API_KEY={word:11}.{word:30}', 'kagi_api_key = os.environ["KAGI_API_KEY"]'],
  },
  'karmacrm-api-key': {
    ok: ['{"karmacrm": {"api_key": "«{alnum:20}»"}}'],
    bad: ['karmacrm_api_key: {alnum:21}', 'const karmacrmApiKey = await vault.read("karmacrm_api_key")'],
  },
  'kickbox-api-key': {
    ok: ['kickbox_api_key: «live_{hex:64}»'],
    bad: ['KICKBOX_API_KEY="live_{hex:66}"', 'API_KEY=live_{hex:64}'],
  },
  'kimi-api-key': {
    ok: ['TOKEN=«sk-kimi-{alnum:64}»'],
    bad: ['sk-kimi-k2-instruct-preview', 'sk-kimi-{alnum:20}'],
  },
  'klaviyo-api-key': {
    ok: ['curl -H "Authorization: Bearer «pk_{hex:34}»" https://api.example.com/me'],
    bad: ['pk_{hex:32}', 'CONSTRAINT pk_customer_order_line_history PRIMARY KEY'],
  },
  'klipfolio-api-key': {
    ok: ["const klipfolioApiKey = '«{hex:40}»'"],
    bad: ['klipfolio_api_key: {hex:41}', 'klipfolio_api_key = os.environ["KLIPFOLIO_API_KEY"]'],
  },
  'knapsackpro-token': {
    ok: ['settings.knapsack_pro_test_suite_token = "«{hex:32}»"'],
    bad: ['KNAPSACK_PRO_TEST_SUITE_TOKEN="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'kontent-api-key': {
    ok: ['{"auth":{"value":"«ew0KICAiYWxnI{alnum:40}.ew0K{alnum:160}.{word:43}»"}}'],
    bad: ['ew0KICAiYWxnI{alnum:40}', 'ew0KICAiYWxnI{alnum:40}.{alnum:12}.{word:43}'],
  },
  'kraken-access-token': {
    ok: ['<add key="KrakenAccessToken" value="«{base64:86}==»" />'],
    bad: ['KRAKEN_ACCESS_TOKEN={alnum:70}', 'kraken_access_token = os.environ["KRAKEN_ACCESS_TOKEN"]'],
  },
  'kucoin-access-token': {
    ok: ['  KUCOIN_ACCESS_TOKEN: "«{hex:24}»" # rotated in May'],
    bad: [
      'kucoin_access_token: {hex:25}',
      'const kucoinAccessToken = await vault.read("kucoin_access_token")',
    ],
  },
  'kucoin-secret-key': {
    ok: ['KucoinClient(kucoin_secret_key="«{uuid}»")'],
    bad: ['KUCOIN_SECRET_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'kylas-api-key': {
    ok: ['$env:KYLAS_API_KEY = "«{uuid}:{digits:5}»"'],
    bad: ['KYLAS_API_KEY={hex:8}-{hex:4}-{hex:4}:4711', 'kylas_api_key = os.environ["KYLAS_API_KEY"]'],
  },
  'lambda-cloud-api-key': {
    ok: ['-e LAMBDA_CLOUD_API_KEY=«secret_ci_{hex:32}.{alnum:32}» -p 8080:80'],
    bad: [
      'LAMBDA_CLOUD_API_KEY=secret_ci_{hex:32}',
      'const lambdaCloudApiKey = await vault.read("lambda_cloud_api_key")',
    ],
  },
  'langchain-langsmith-personal-access-token': {
    ok: ['deploy --with «lsv2_pt_{hex:32}_{hex:10}» --yes'],
    bad: ['GET /v1/items?key=lsv2_pt_{hex:32}_{hex:9}&limit=5 200', 'lsv2_pt_{hex:32}_{hex:12}'],
  },
  'langchain-langsmith-service-key': {
    ok: ['GET /v1/items?key=«lsv2_sk_{hex:32}_{hex:10}»&limit=5 200'],
    bad: ["client = Client('lsv2_sk_{hex:32}_{hex:9}')", 'lsv2_sk_{hex:32}_{hex:12}'],
  },
  'langfuse-secret-key': {
    ok: ["client = Client('«sk-lf-{uuid}»')"],
    bad: [
      '[warn] retry with sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:12}, attempt 2',
      'sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
    ],
  },
  'langsmith-legacy-api-key': {
    ok: ['[warn] retry with «ls__{hex:32}», attempt 2'],
    bad: ['value: ls__{hex:31}', 'ls__{hex:34}'],
  },
  'languagelayer-api-key': {
    ok: ['languagelayer.api.key=«{hex:32}»'],
    bad: ['LANGUAGELAYER_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'lark-app-secret': {
    ok: ['{"name":"LARK_APP_SECRET","value":"«{alnum:32}»"}'],
    bad: ['lark_app_secret: {alnum:31}', 'lark_app_secret = os.environ["LARK_APP_SECRET"]'],
  },
  'launchdarkly-access-token': {
    ok: ["'launchdarkly_access_token' => '«{word:40}»',"],
    bad: [
      'launchdarkly_access_token: {word:39}',
      'const launchdarklyAccessToken = await vault.read("launchdarkly_access_token")',
    ],
  },
  'launchdarkly-api-key': { ok: ['value: «sdk-{uuid}»'], bad: ['sdk-{hex:8}-{hex:4}-{hex:4}', 'req-{uuid}'] },
  'leadfeeder-api-key': {
    ok: ['docker run --env LEADFEEDER_API_KEY="«{word:43}»" app'],
    bad: ['leadfeeder_api_key: {word:42}', 'API_KEY={word:43}'],
  },
  'lemlist-api-key': {
    ok: ['export LEMLIST_API_KEY=«{hex:32}»'],
    bad: ['lemlist_api_key: {hex:33}', 'lemlist_api_key = os.environ["LEMLIST_API_KEY"]'],
  },
  'lemonsqueezy-api-token': {
    ok: ['{"lemonsqueezy": {"api_token": "«eyJ{alnum:17}.eyJ{word:90}.{word:43}»"}}'],
    bad: [
      'LEMONSQUEEZY_API_TOKEN=eyJ{alnum:17}.{word:8}',
      'LEMONSQUEEZY_API_TOKEN={alnum:24}',
      'const lemonsqueezyApiToken = await vault.read("lemonsqueezy_api_token")',
    ],
  },
  'lendflow-api-key': {
    ok: ['lendflow_api_key: «eyJ{alnum:17}.eyJ{word:90}.{word:43}»'],
    bad: [
      'LENDFLOW_API_KEY=eyJ{alnum:17}.{word:8}',
      'LENDFLOW_API_KEY={alnum:24}',
      'API_KEY=eyJ{alnum:17}.eyJ{word:90}.{word:43}',
    ],
  },
  'lessannoyingcrm-api-key': {
    ok: ["const lessannoyingcrmApiKey = '«{digits:7}-{digits:31}-{alnum:50}»'"],
    bad: [
      'LESSANNOYINGCRM_API_KEY={digits:7}-{alnum:20}',
      'lessannoyingcrm_api_key = os.environ["LESSANNOYINGCRM_API_KEY"]',
    ],
  },
  'lexigram-api-key': {
    ok: [
      'curl -H "X-Lexigram-Api-Key: «eyJ{alnum:17}.eyJ{word:90}.{word:43}»" https://api.example.com/v1/me',
    ],
    bad: [
      'LEXIGRAM_API_KEY=eyJ{alnum:17}.{word:8}',
      'LEXIGRAM_API_KEY={alnum:24}',
      'const lexigramApiKey = await vault.read("lexigram_api_key")',
    ],
  },
  'lichess-personal-access-token': {
    ok: ['use `«lip_{alnum:20}»` for staging'],
    bad: ['lip_{alnum:12}', 'lip_sync_mouth_shape_controller'],
  },
  'lighton-paradigm-api-key': {
    ok: ['settings.lighton_paradigm_api_key = "«{alnum:8}.{alnum:32}»"'],
    bad: ['LIGHTON_PARADIGM_API_KEY="{alnum:8}.{alnum:34}"', 'API_KEY={alnum:8}.{alnum:32}'],
  },
  'line-channel-access-token': {
    ok: ['CHANNEL="«{base64:158}dB04t89/1O/w1cDnyilFU=»"'],
    bad: ['{alnum:30}w1cDnyilFU=', 'see w1cDnyilFU= at the end'],
  },
  'line-messaging-api-token': {
    ok: ['  LINE_MESSAGING_API_TOKEN: "«{base64:171}=»" # rotated in May'],
    bad: [
      'LINE_MESSAGING_API_TOKEN={alnum:120}',
      'const lineMessagingApiToken = await vault.read("line_messaging_api_token")',
    ],
  },
  'line-notify-api-key': {
    ok: ['LineClient(line_notify_api_key="«{alnum:43}»")'],
    bad: ['LINE_NOTIFY_API_KEY="{alnum:45}"', 'API_KEY={alnum:43}'],
  },
  'linear-api-key': {
    ok: ['<token>«lin_api_{alnum:40}»</token>'],
    bad: ['lin_api_{alnum:20}', 'lin_api_client_configuration_defaults_and_more'],
  },
  'linear-client-secret': {
    ok: ['$env:LINEAR_CLIENT_SECRET = "«{hex:32}»"'],
    bad: ['linear_client_secret: {hex:31}', 'linear_client_secret = os.environ["LINEAR_CLIENT_SECRET"]'],
  },
  'linear-oauth-token': { ok: ['TOKEN=«lin_oauth_{hex:64}»'], bad: ['lin_oauth_{hex:20}'] },
  'linkedin-client-id': {
    ok: ['-e LINKEDIN_CLIENT_ID=«{lower:14}» -p 8080:80'],
    bad: [
      'linkedin_client_id: {lower:15}',
      'const linkedinClientId = await vault.read("linkedin_client_id")',
    ],
  },
  'linkedin-client-secret': {
    ok: ['linkedin.client.secret=«{alnum:16}»'],
    bad: ['LINKEDIN_CLIENT_SECRET="{alnum:18}"', 'API_KEY={alnum:16}'],
  },
  'linkpreview-api-key': {
    ok: ['{"name":"LINKPREVIEW_API_KEY","value":"«{hex:32}»"}'],
    bad: ['linkpreview_api_key: {hex:33}', 'linkpreview_api_key = os.environ["LINKPREVIEW_API_KEY"]'],
  },
  'liveblocks-secret-key': {
    ok: ['curl -H "Authorization: Bearer «sk_prod_{word:64}»" https://api.example.com/me'],
    bad: ['sk_prod_{word:24}', 'sk_dev_tools'],
  },
  'livestorm-api-key': {
    ok: ["'livestorm_api_key' => '«eyJ{alnum:17}.eyJ{word:90}.{word:43}»',"],
    bad: [
      'LIVESTORM_API_KEY=eyJ{alnum:17}.{word:8}',
      'LIVESTORM_API_KEY={alnum:24}',
      'const livestormApiKey = await vault.read("livestorm_api_key")',
    ],
  },
  'llamacloud-api-key': { ok: ['{"auth":{"value":"«llx-{alnum:48}»"}}'], bad: ['llx-{alnum:12}'] },
  'loadmill-api-key': {
    ok: ['docker run --env LOADMILL_API_KEY="«{alnum:40}»" app'],
    bad: ['LOADMILL_API_KEY="{alnum:42}"', 'API_KEY={alnum:40}'],
  },
  'lob-api-key': { ok: ['deploy --with «live_{hex:35}» --yes'], bad: ['test_{hex:32}', 'live_{hex:40}'] },
  'lob-pub-api-key': {
    ok: ['GET /v1/items?key=«test_pub_{hex:31}»&limit=5 200'],
    bad: ["client = Client('test_pub_{hex:30}')", 'test_pub_{hex:33}'],
  },
  'loginradius-api-key': {
    ok: ['export LOGINRADIUS_API_KEY=«{uuid}»'],
    bad: [
      'loginradius_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'loginradius_api_key = os.environ["LOGINRADIUS_API_KEY"]',
    ],
  },
  'logz-io-api-key': {
    ok: ['logz_io_api_key: «{letters:32}»'],
    bad: ['LOGZ_IO_API_KEY={letters:31}', 'API_KEY={letters:32}'],
  },
  'lokalise-api-key': {
    ok: ["const lokaliseApiKey = '«{hex:40}»'"],
    bad: ['lokalise_api_key: {hex:41}', 'lokalise_api_key = os.environ["LOKALISE_API_KEY"]'],
  },
  'looker-client-id': {
    ok: ['curl -H "X-Looker-Client-Id: «{alnum:20}»" https://api.example.com/v1/me'],
    bad: ['looker_client_id: {alnum:19}', 'const lookerClientId = await vault.read("looker_client_id")'],
  },
  'looker-client-secret': {
    ok: ['settings.looker_client_secret = "«{alnum:24}»"'],
    bad: ['LOOKER_CLIENT_SECRET="{alnum:26}"', 'API_KEY={alnum:24}'],
  },
  'loyverse-api-key': {
    ok: ['<add key="LoyverseApiKey" value="«{hex:32}»" />'],
    bad: ['loyverse_api_key: {hex:31}', 'loyverse_api_key = os.environ["LOYVERSE_API_KEY"]'],
  },
  'lunchmoney-api-key': {
    ok: ['  LUNCHMONEY_API_KEY: "«{hex:50}»" # rotated in May'],
    bad: ['lunchmoney_api_key: {hex:51}', 'const lunchmoneyApiKey = await vault.read("lunchmoney_api_key")'],
  },
  'madkudu-api-key': {
    ok: ['MadkuduClient(madkudu_api_key="«{hex:32}»")'],
    bad: ['MADKUDU_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'magnetic-api-token': {
    ok: ['$env:MAGNETIC_API_TOKEN = "«{uuid}»"'],
    bad: [
      'magnetic_api_token: {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
      'magnetic_api_token = os.environ["MAGNETIC_API_TOKEN"]',
    ],
  },
  'mailboxlayer-api-key': {
    ok: ['-e MAILBOXLAYER_API_KEY=«{hex:32}» -p 8080:80'],
    bad: [
      'mailboxlayer_api_key: {hex:31}',
      'const mailboxlayerApiKey = await vault.read("mailboxlayer_api_key")',
    ],
  },
  'mailchimp-api-key': {
    ok: ['MAILCHIMP=«{hex:32}-us14»', '{"apiKey":"«{hex:32}-us6»"}'],
    bad: ['{hex:31}-us14', 'build-{hex:40}-us-east-1', '{hex:32}-usage'],
  },
  'mailerlite-api-key': {
    ok: ['mailerlite.api.key=«{hex:32}»'],
    bad: ['MAILERLITE_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'mailersend-api-token': {
    ok: ["client = Client('«mlsn.{hex:64}»')"],
    bad: ['[warn] retry with mlsn.{hex:63}, attempt 2', 'mlsn.{hex:66}'],
  },
  'mailgun-private-api-token': {
    ok: ['{"name":"MAILGUN_PRIVATE_API_TOKEN","value":"«key-{hex:32}»"}'],
    bad: [
      'mailgun_private_api_token: key-{hex:31}',
      'mailgun_private_api_token = os.environ["MAILGUN_PRIVATE_API_TOKEN"]',
    ],
  },
  'mailgun-pub-key': {
    ok: ["'mailgun_pub_key' => '«pubkey-{hex:32}»',"],
    bad: ['mailgun_pub_key: pubkey-{hex:33}', 'const mailgunPubKey = await vault.read("mailgun_pub_key")'],
  },
  'mailgun-signing-key': {
    ok: ['docker run --env MAILGUN_SIGNING_KEY="«{hex:32}-{hex:8}-{hex:8}»" app'],
    bad: ['MAILGUN_SIGNING_KEY="{hex:32}-{hex:8}-{hex:10}"', 'API_KEY={hex:32}-{hex:8}-{hex:8}'],
  },
  'mailjet-basic-auth': {
    ok: ['export MAILJET_BASIC_AUTH=«{alnum:87}=»'],
    bad: ['MAILJET_BASIC_AUTH={alnum:60}=', 'mailjet_basic_auth = os.environ["MAILJET_BASIC_AUTH"]'],
  },
  'mailjetsms-api-key': {
    ok: ['{"mailjetsms": {"api_key": "«{hex:32}»"}}'],
    bad: ['mailjetsms_api_key: {hex:31}', 'const mailjetsmsApiKey = await vault.read("mailjetsms_api_key")'],
  },
  'mailmodo-api-key': {
    ok: ['mailmodo_api_key: «{upper:7}-{upper:7}-{upper:7}-{upper:7}»'],
    bad: [
      'MAILMODO_API_KEY="{upper:7}-{upper:7}-{upper:7}-{upper:9}"',
      'API_KEY={upper:7}-{upper:7}-{upper:7}-{upper:7}',
    ],
  },
  'mailsac-api-key': {
    ok: ["const mailsacApiKey = '«k_{alnum:40}»'"],
    bad: ['MAILSAC_API_KEY=k_{alnum:12}', 'mailsac_api_key = os.environ["MAILSAC_API_KEY"]'],
  },
  'mandrill-api-key': {
    ok: ['curl -H "X-Mandrill-Api-Key: «md-{word:22}»" https://api.example.com/v1/me'],
    bad: ['MANDRILL_API_KEY=md-{word:12}', 'const mandrillApiKey = await vault.read("mandrill_api_key")'],
  },
  'mapbox-api-token': {
    ok: ['settings.mapbox_api_token = "«pk.{alnum:60}.{alnum:22}»"'],
    bad: ['MAPBOX_API_TOKEN="pk.{alnum:60}.{alnum:24}"', 'API_KEY=pk.{alnum:60}.{alnum:22}'],
  },
  'mapbox-secret-access-token': {
    ok: ['[warn] retry with «sk.eyJ1{alnum:70}.{word:22}», attempt 2'],
    bad: ['sk.eyJ1{alnum:70}', 'pk.eyJ1{alnum:10}.{word:22}'],
  },
  'mapquest-api-key': {
    ok: ['<add key="MapquestApiKey" value="«{alnum:32}»" />'],
    bad: ['mapquest_api_key: {alnum:33}', 'mapquest_api_key = os.environ["MAPQUEST_API_KEY"]'],
  },
  'marketstack-api-key': {
    ok: ['  MARKETSTACK_API_KEY: "«{hex:32}»" # rotated in May'],
    bad: [
      'marketstack_api_key: {hex:31}',
      'const marketstackApiKey = await vault.read("marketstack_api_key")',
    ],
  },
  'mattermost-access-token': {
    ok: ['MattermostClient(mattermost_access_token="«{lower:26}»")'],
    bad: ['MATTERMOST_ACCESS_TOKEN="{lower:28}"', 'API_KEY={lower:26}'],
  },
  'mavenlink-api-key': {
    ok: ['$env:MAVENLINK_API_KEY = "«{hex:64}»"'],
    bad: ['mavenlink_api_key: {hex:63}', 'mavenlink_api_key = os.environ["MAVENLINK_API_KEY"]'],
  },
  'maxmind-legacy-license-key': {
    ok: ['-e MAXMIND_LICENSE_KEY=«{alnum:16}» -p 8080:80'],
    bad: [
      'maxmind_license_key: {alnum:17}',
      'const maxmindLicenseKey = await vault.read("maxmind_license_key")',
    ],
  },
  'maxmind-license-key': {
    ok: ['LicenseKey «{alnum:6}_{alnum:29}_mmk»', 'license_key=«{alnum:6}_{alnum:29}_mmk»&suffix=tar.gz'],
    bad: ['{alnum:6}_{alnum:20}_mmk', 'free(ctx->page_mmk)'],
  },
  'mediastack-api-key': {
    ok: ['mediastack.api.key=«{hex:32}»'],
    bad: ['MEDIASTACK_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'meistertask-api-key': {
    ok: ['{"name":"MEISTERTASK_API_KEY","value":"«{word:43}»"}'],
    bad: ['meistertask_api_key: {word:42}', 'meistertask_api_key = os.environ["MEISTERTASK_API_KEY"]'],
  },
  'mem0-api-key': {
    ok: ['value: «m0-{alnum:40}»'],
    bad: ['use `m0-{alnum:39}` for staging', 'm0-{alnum:42}'],
  },
  'mercury-production-api-token': {
    ok: ['use `«mercury_production_wma_{alnum:44}_yrucrem»` for staging'],
    bad: ['mercury_production_wma_{alnum:8}_yrucrem', 'mercury_sandbox_account_balance_history'],
  },
  'mergify-application-key': {
    ok: ["'mergify_application_key' => '«{alnum:64}»',"],
    bad: [
      'MERGIFY_APPLICATION_KEY={alnum:24}',
      'const mergifyApplicationKey = await vault.read("mergify_application_key")',
    ],
  },
  'mesibo-api-key': {
    ok: ['docker run --env MESIBO_API_KEY="«{lower:64}»" app'],
    bad: ['MESIBO_API_KEY="{lower:66}"', 'API_KEY={lower:64}'],
  },
  'messagebird-api-token': {
    ok: ['export MESSAGEBIRD_API_TOKEN=«{alnum:25}»'],
    bad: ['messagebird_api_token: {alnum:24}', 'messagebird_api_token = os.environ["MESSAGEBIRD_API_TOKEN"]'],
  },
  'messagebird-client-id': {
    ok: ['messagebird_client_id: «{uuid}»'],
    bad: ['MESSAGEBIRD_CLIENT_ID="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'meta-llama-api-key': {
    ok: ['LLAMA="«LLM|{digits:16}|{word:27}»"'],
    bad: ['LLM|{digits:4}|{word:27}', '| LLM|context|price |'],
  },
  'metrilo-api-key': {
    ok: ["const metriloApiKey = '«{lower:16}»'"],
    bad: ['metrilo_api_key: {lower:17}', 'metrilo_api_key = os.environ["METRILO_API_KEY"]'],
  },
  'microsoft-teams-webhook': {
    ok: [
      'https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»',
      'url: https://outlook.office.com/webhook/«{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»',
    ],
    bad: [
      'https://acme.webhook.office.com/webhookb2/{uuid}/IncomingWebhook/{hex:32}/',
      'https://learn.microsoft.com/connectors/IncomingWebhook/overview',
    ],
  },
  'midtrans-production-server-client-key': {
    ok: ['<token>«Mid-server-{word:24}»</token>'],
    bad: ['Mid-server-{alnum:8}', 'mid-server-{word:24}'],
  },
  'mindmeister-api-key': {
    ok: ['curl -H "X-Mindmeister-Api-Key: «{word:43}»" https://api.example.com/v1/me'],
    bad: [
      'mindmeister_api_key: {word:42}',
      'const mindmeisterApiKey = await vault.read("mindmeister_api_key")',
    ],
  },
  'minimax-api-key': {
    ok: ['settings.minimax_api_key = "«sk-api-{word:100}»"'],
    bad: ['MINIMAX_API_KEY=sk-api-{word:20}', 'API_KEY=sk-api-{word:100}'],
  },
  'miro-access-token': {
    ok: ['TOKEN=«eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{word:27}»'],
    bad: ['eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ', 'eyJtaXJvLm9yaWdpbiI6ImV1MDEifQ_{word:12}'],
  },
  'miro-api-key': {
    ok: ['<add key="MiroApiKey" value="«{alnum:27}»" />'],
    bad: ['miro_api_key: {alnum:26}', 'miro_api_key = os.environ["MIRO_API_KEY"]'],
  },
  'mistral-api-key': {
    ok: ['  MISTRAL_API_KEY: "«{alnum:32}»" # rotated in May'],
    bad: ['mistral_api_key: {alnum:33}', 'const mistralApiKey = await vault.read("mistral_api_key")'],
  },
  'mixmax-api-key': {
    ok: ['MixmaxClient(mixmax_api_key="«{word:36}»")'],
    bad: ['mixmax_api_key: {word:35}', 'API_KEY={word:36}'],
  },
  'modal-token-secret': {
    ok: ['curl -H "Authorization: Bearer «as-{alnum:22}»" https://api.example.com/me'],
    bad: ['as-{alnum:12}', 'software-as-{alnum:18}'],
  },
  'moderation-api-key': {
    ok: ['$env:MODERATION_API_KEY = "«eyJ{alnum:17}.eyJ{word:90}.{word:43}»"'],
    bad: ['MODERATION_API_KEY={alnum:20}', 'moderation_api_key = os.environ["MODERATION_API_KEY"]'],
  },
  'monday-api-key': {
    ok: ['-e MONDAY_API_KEY=«eyJ{alnum:17}.eyJ{word:90}.{word:43}» -p 8080:80'],
    bad: [
      'MONDAY_API_KEY=eyJ{alnum:17}.{word:8}',
      'MONDAY_API_KEY={alnum:24}',
      'const mondayApiKey = await vault.read("monday_api_key")',
    ],
  },
  'mongodb-api-private-key': {
    ok: ['{"name":"MONGODB_API_PRIVATE_KEY","value":"«{uuid}»"}'],
    bad: [
      'mongodb_api_private_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'mongodb_api_private_key = os.environ["MONGODB_API_PRIVATE_KEY"]',
    ],
  },
  'mongodb-atlas-service-account-id': {
    ok: ['{"auth":{"value":"«mdb_sa_id_{hex:24}»"}}'],
    bad: ['deploy --with mdb_sa_id_{hex:23} --yes', 'mdb_sa_id_{hex:26}'],
  },
  'mongodb-atlas-service-account-secret': {
    ok: ['deploy --with «mdb_sa_sk_{word:40}» --yes'],
    bad: ['mdb_sa_sk_{alnum:12}'],
  },
  'mongodb-atlas-service-account-token': {
    ok: ["'mongodb_atlas_service_account_token' => '«eyJ{alnum:17}.eyJ{word:90}.{word:43}»',"],
    bad: [
      'MONGODB_ATLAS_SERVICE_ACCOUNT_TOKEN=eyJ{alnum:17}.{word:8}',
      'MONGODB_ATLAS_SERVICE_ACCOUNT_TOKEN={alnum:24}',
      'const mongodbAtlasServiceAccountToken = await vault.read("mongodb_atlas_service_account_token")',
    ],
  },
  'mongodb-connection-string': {
    ok: [
      'MONGO_URL=mongodb+srv://app:«{alnum:18}»@cluster0.ab1cd.mongodb.net/prod',
      "uri: 'mongodb://root:«{letters:6}%21{digits:4}»@db1:27017,db2:27017/admin?replicaSet=rs0'",
    ],
    bad: [
      'mongodb://localhost:27017/app',
      'mongodb://${USER}:${PASSWORD}@db/app',
      'mongodb+srv://<user>:<password>@cluster0.mongodb.net',
    ],
  },
  'monkeylearn-api-key': {
    ok: ['docker run --env MONKEYLEARN_API_KEY="«{hex:40}»" app'],
    bad: ['MONKEYLEARN_API_KEY="{hex:42}"', 'API_KEY={hex:40}'],
  },
  'moonclerk-api-key': {
    ok: ['export MOONCLERK_API_KEY=«{hex:32}»'],
    bad: ['moonclerk_api_key: {hex:33}', 'moonclerk_api_key = os.environ["MOONCLERK_API_KEY"]'],
  },
  'moonshot-api-key': {
    ok: ['{"moonshot": {"api_key": "«sk-{alnum:48}»"}}'],
    bad: ['moonshot_api_key: sk-{alnum:47}', 'const moonshotApiKey = await vault.read("moonshot_api_key")'],
  },
  'moosend-api-key': {
    ok: ['moosend_api_key: «{uuid}»'],
    bad: ['MOOSEND_API_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'moralis-api-key': {
    ok: ["const moralisApiKey = '«{alnum:64}»'"],
    bad: ['moralis_api_key: {alnum:63}', 'moralis_api_key = os.environ["MORALIS_API_KEY"]'],
  },
  'myintervals-api-key': {
    ok: ['settings.intervals_api_key = "«{lower:11}»"'],
    bad: ['INTERVALS_API_KEY="{lower:13}"', 'API_KEY={lower:11}'],
  },
}
