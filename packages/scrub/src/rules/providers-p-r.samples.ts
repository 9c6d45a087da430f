import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesPR: RuleSamples = {
  'packagecloud-api-key': {
    secret: ['export PACKAGECLOUD_API_KEY=«{hex:48}»'],
    clean: ['packagecloud_api_key: {hex:47}', 'packagecloud_api_key = os.environ["PACKAGECLOUD_API_KEY"]'],
  },
  'paddle-live-api-key': {
    secret: ['TOKEN=«pdl_live_apikey_{lower:26}_{alnum:22}_{alnum:3}»'],
    clean: [
      'curl -H "Authorization: Bearer pdl_live_apikey_{lower:26}_{alnum:22}_{alnum:2}" https://api.example.com/me',
      'pdl_live_apikey_{lower:26}_{alnum:22}_{alnum:5}',
    ],
  },
  'pagarme-api-key': {
    secret: ['curl -H "Authorization: Bearer «ak_live_{alnum:30}»" https://api.example.com/me'],
    clean: ['{"auth":{"value":"ak_live_{alnum:29}"}}', 'ak_live_{alnum:32}'],
  },
  'pagerduty-api-key': {
    secret: ['{"pagerduty": {"api_key": "«u+{word:18}»"}}'],
    clean: [
      'PAGERDUTY_API_KEY={alnum:16}',
      'PAGERDUTY_API_KEY={alnum:27}',
      'const pagerdutyApiKey = await vault.read("pagerduty_api_key")',
    ],
  },
  'pandadoc-api-key': {
    secret: ['pandadoc_api_key: «{hex:40}»'],
    clean: ['PANDADOC_API_KEY="{hex:42}"', 'API_KEY={hex:40}'],
  },
  'pandascore-api-key': {
    secret: ["const pandascoreApiKey = '«{word:51}»'"],
    clean: ['pandascore_api_key: {word:50}', 'pandascore_api_key = os.environ["PANDASCORE_API_KEY"]'],
  },
  'paperform-api-key': {
    secret: [
      'curl -H "X-Paperform-Api-Key: «eyJ{alnum:17}.eyJ{word:90}.{word:43}»" https://api.example.com/v1/me',
    ],
    clean: [
      'PAPERFORM_API_KEY=eyJ{alnum:17}.{word:8}',
      'PAPERFORM_API_KEY={alnum:24}',
      'const paperformApiKey = await vault.read("paperform_api_key")',
    ],
  },
  'paralleldots-api-key': {
    secret: ['settings.paralleldots_api_key = "«{alnum:43}»"'],
    clean: ['PARALLELDOTS_API_KEY="{alnum:45}"', 'API_KEY={alnum:43}'],
  },
  'parseur-api-key': {
    secret: ['<add key="ParseurApiKey" value="«{hex:40}»" />'],
    clean: ['parseur_api_key: {hex:39}', 'parseur_api_key = os.environ["PARSEUR_API_KEY"]'],
  },
  'particle-io-access-token': {
    secret: ['  PARTICLE_IO_ACCESS_TOKEN: "«{hex:40}»" # rotated in May'],
    clean: [
      'particle_io_access_token: {hex:41}',
      'const particleIoAccessToken = await vault.read("particle_io_access_token")',
    ],
  },
  'partnerstack-api-key': {
    secret: ['PartnerstackClient(partnerstack_api_key="«{alnum:64}»")'],
    clean: ['PARTNERSTACK_API_KEY="{alnum:66}"', 'API_KEY={alnum:64}'],
  },
  'pastebin-api-key': {
    secret: ['$env:PASTEBIN_API_KEY = "«{hex:32}»"'],
    clean: ['pastebin_api_key: {hex:33}', 'pastebin_api_key = os.environ["PASTEBIN_API_KEY"]'],
  },
  'patreon-access-token': {
    secret: ['-e PATREON_ACCESS_TOKEN=«{word:43}» -p 8080:80'],
    clean: [
      'patreon_access_token: {word:42}',
      'const patreonAccessToken = await vault.read("patreon_access_token")',
    ],
  },
  'paydirtapp-api-key': {
    secret: ['paydirtapp.api.key=«{hex:32}»'],
    clean: ['PAYDIRTAPP_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'paymoapp-api-key': {
    secret: ['{"name":"PAYMOAPP_API_KEY","value":"«{alnum:44}»"}'],
    clean: ['paymoapp_api_key: {alnum:43}', 'paymoapp_api_key = os.environ["PAYMOAPP_API_KEY"]'],
  },
  'paymongo-api-key': {
    secret: ["'paymongo_api_key' => '«sk_live_{alnum:24}»',"],
    clean: [
      'paymongo_api_key: sk_live_{alnum:25}',
      'const paymongoApiKey = await vault.read("paymongo_api_key")',
    ],
  },
  'paypal-access-token': {
    secret: ['{"auth":{"value":"«access_token$production${lower:16}${hex:32}»"}}'],
    clean: [
      'deploy --with access_token$production${lower:16}${hex:31} --yes',
      'access_token$production${lower:16}${hex:34}',
    ],
  },
  'paypal-oauth-secret': {
    secret: ['docker run --env PAYPAL_OAUTH_SECRET="«E{word:79}»" app'],
    clean: ['paypal_oauth_secret: E{word:78}', 'API_KEY=E{word:79}'],
  },
  'paystack-api-key': {
    secret: ['deploy --with «sk_live_{hex:40}» --yes'],
    clean: ['GET /v1/items?key=sk_live_{hex:39}&limit=5 200', 'sk_live_{hex:42}'],
  },
  'pdflayer-api-key': {
    secret: ['export PDFLAYER_API_KEY=«{hex:32}»'],
    clean: ['pdflayer_api_key: {hex:33}', 'pdflayer_api_key = os.environ["PDFLAYER_API_KEY"]'],
  },
  'pdfshift-api-key': {
    secret: ['{"pdfshift": {"api_key": "«sk_{hex:40}»"}}'],
    clean: ['pdfshift_api_key: sk_{hex:39}', 'const pdfshiftApiKey = await vault.read("pdfshift_api_key")'],
  },
  'peopledatalabs-api-key': {
    secret: ['peopledatalabs_api_key: «{hex:64}»'],
    clean: ['PEOPLEDATALABS_API_KEY="{hex:66}"', 'API_KEY={hex:64}'],
  },
  'pepipost-api-key': {
    secret: ["const pepipostApiKey = '«{hex:32}»'"],
    clean: ['pepipost_api_key: {hex:31}', 'pepipost_api_key = os.environ["PEPIPOST_API_KEY"]'],
  },
  'perplexity-api-key': {
    secret: ['GET /v1/items?key=«pplx-{alnum:48}»&limit=5 200'],
    clean: ['pplx-{alnum:20}', 'pplx-embed-context-v1-large'],
  },
  'persona-production-api-key': {
    secret: ["client = Client('«persona_production_{uuid}»')"],
    clean: [
      '[warn] retry with persona_production_{hex:8}-{hex:4}-{hex:4}-{hex:12}, attempt 2',
      'persona_production_{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
    ],
  },
  'pinecone-api-key': {
    secret: ['[warn] retry with «pcsk_{alnum:6}_{alnum:63}», attempt 2'],
    clean: ['pcsk_{alnum:6}_{alnum:20}'],
  },
  'pinecone-legacy-api-key': {
    secret: ['curl -H "X-Pinecone-Api-Key: «{uuid}»" https://api.example.com/v1/me'],
    clean: [
      'pinecone_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
      'const pineconeApiKey = await vault.read("pinecone_api_key")',
    ],
  },
  'pinterest-access-token': {
    secret: ['value: «pina_{upper:86}»'],
    clean: ['pina_{upper:12}', 'pina_colada_recipe_ingredients_by_region'],
  },
  'pipedream-api-key': {
    secret: ['settings.pipedream_api_key = "«{hex:32}»"'],
    clean: ['PIPEDREAM_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'pipedrive-api-key': {
    secret: ['<add key="PipedriveApiKey" value="«{hex:40}»" />'],
    clean: ['pipedrive_api_key: {hex:41}', 'pipedrive_api_key = os.environ["PIPEDRIVE_API_KEY"]'],
  },
  'pixabay-api-key': {
    secret: ['  PIXABAY_API_KEY: "«{digits:8}-{hex:25}»" # rotated in May'],
    clean: [
      'pixabay_api_key: {digits:8}-{hex:24}',
      'const pixabayApiKey = await vault.read("pixabay_api_key")',
    ],
  },
  'plaid-api-token': {
    secret: ['use `«access-production-{uuid}»` for staging'],
    clean: [
      '<token>access-production-{hex:8}-{hex:4}-{hex:4}-{hex:12}</token>',
      'access-production-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
    ],
  },
  'plaid-client-id': {
    secret: ['PlaidClient(plaid_client_id="«{hex:24}»")'],
    clean: ['PLAID_CLIENT_ID="{hex:26}"', 'API_KEY={hex:24}'],
  },
  'plaid-secret-key': {
    secret: ['$env:PLAID_SECRET_KEY = "«{hex:30}»"'],
    clean: ['plaid_secret_key: {hex:29}', 'plaid_secret_key = os.environ["PLAID_SECRET_KEY"]'],
  },
  'planetscale-api-token': {
    secret: ['<token>«pscale_tkn_{word:43}»</token>'],
    clean: ['pscale_tkn_{alnum:12}'],
  },
  'planetscale-oauth-token': {
    secret: ['TOKEN=«pscale_oauth_{word:43}»'],
    clean: ['pscale_oauth_{alnum:12}'],
  },
  'planetscale-password': {
    secret: ['curl -H "Authorization: Bearer «pscale_pw_{word:43}»" https://api.example.com/me'],
    clean: ['pscale_pw_{alnum:12}'],
  },
  'planyo-api-key': {
    secret: ['-e PLANYO_API_KEY=«{lower:62}» -p 8080:80'],
    clean: ['planyo_api_key: {lower:63}', 'const planyoApiKey = await vault.read("planyo_api_key")'],
  },
  'plivo-auth-id': {
    secret: ['plivo.auth.id=«MA{upper:18}»'],
    clean: ['PLIVO_AUTH_ID="MA{upper:20}"', 'API_KEY=MA{upper:18}'],
  },
  'plivo-auth-token': {
    secret: ['{"name":"PLIVO_AUTH_TOKEN","value":"«{alnum:40}»"}'],
    clean: ['plivo_auth_token: {alnum:41}', 'plivo_auth_token = os.environ["PLIVO_AUTH_TOKEN"]'],
  },
  'podio-api-key': {
    secret: ["'podio_api_key' => '«{alnum:64}»',"],
    clean: ['podio_api_key: {alnum:63}', 'const podioApiKey = await vault.read("podio_api_key")'],
  },
  'polar-oauth-access-token': {
    secret: ['{"auth":{"value":"«polar_at_u_{alnum:43}»"}}'],
    clean: ['polar_at_u_{alnum:12}'],
  },
  'polar-organization-access-token': {
    secret: ['deploy --with «polar_oat_{alnum:43}» --yes'],
    clean: ['polar_oat_{alnum:12}'],
  },
  'polar-personal-access-token': {
    secret: ['GET /v1/items?key=«polar_pat_{alnum:43}»&limit=5 200'],
    clean: ['polar_pat_{alnum:12}'],
  },
  'pollsapi-key': {
    secret: ['docker run --env POLLSAPI_KEY="«{upper:28}»" app'],
    clean: ['POLLSAPI_KEY="{upper:30}"', 'API_KEY={upper:28}'],
  },
  'polygon-api-key': {
    secret: ['export POLYGON_API_KEY=«{alnum:32}»'],
    clean: ['polygon_api_key: {alnum:31}', 'polygon_api_key = os.environ["POLYGON_API_KEY"]'],
  },
  'polymarket-api-key': {
    secret: ['{"polymarket": {"api_key": "«{uuid}»"}}'],
    clean: [
      'polymarket_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
      'const polymarketApiKey = await vault.read("polymarket_api_key")',
    ],
  },
  'polymarket-api-secret': {
    secret: ['polymarket_api_secret: «{word:43}=»'],
    clean: ['polymarket_api_secret: {word:42}=', 'API_KEY={word:43}='],
  },
  'polymarket-passphrase': {
    secret: ["const polymarketPassphrase = '«{hex:64}»'"],
    clean: ['polymarket_passphrase: {hex:65}', 'polymarket_passphrase = os.environ["POLYMARKET_PASSPHRASE"]'],
  },
  'polymarket-private-key': {
    secret: ['settings.polymarket_private_key = "«0x{hex:64}»"'],
    clean: ['POLYMARKET_PRIVATE_KEY="0x{hex:66}"', 'API_KEY=0x{hex:64}'],
  },
  'positionstack-api-key': {
    secret: ['<add key="PositionstackApiKey" value="«{hex:32}»" />'],
    clean: ['positionstack_api_key: {hex:31}', 'positionstack_api_key = os.environ["POSITIONSTACK_API_KEY"]'],
  },
  'postageapp-api-key': {
    secret: ['  POSTAGEAPP_API_KEY: "«{alnum:32}»" # rotated in May'],
    clean: [
      'postageapp_api_key: {alnum:33}',
      'const postageappApiKey = await vault.read("postageapp_api_key")',
    ],
  },
  'posthog-personal-api-key': { secret: ["client = Client('«phx_{alnum:43}»')"], clean: ['phx_{alnum:20}'] },
  'posthog-project-api-key': {
    secret: ['[warn] retry with «phc_{alnum:43}», attempt 2'],
    clean: ['phc_{alnum:20}'],
  },
  'postman-api-token': {
    secret: ['value: «PMAK-{hex:24}-{hex:34}»'],
    clean: ['use `PMAK-{hex:24}-{hex:33}` for staging', 'PMAK-{hex:24}-{hex:36}'],
  },
  'postman-collection-access-key': {
    secret: ['use `«PMAT-{upper:26}»` for staging'],
    clean: ['<token>PMAT-{upper:25}</token>', 'PMAT-{upper:28}'],
  },
  'postmark-server-token': {
    secret: ['PostmarkClient(postmark_server_token="«{uuid}»")'],
    clean: ['POSTMARK_SERVER_TOKEN="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'power-automate-webhook': {
    secret: [
      'https://prod-07.westeurope.logic.azure.com/workflows/{hex:32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=«{word:43}»',
    ],
    clean: [
      '/triggers/manual/paths/invoke?api-version=2016-06-01&sig={word:12}',
      '/triggers/manual/paths/invoke?run={word:43}',
    ],
  },
  'powrbot-api-key': {
    secret: ['$env:POWRBOT_API_KEY = "«{hex:40}»"'],
    clean: ['powrbot_api_key: {hex:41}', 'powrbot_api_key = os.environ["POWRBOT_API_KEY"]'],
  },
  'prefect-api-token': {
    secret: ['<token>«pnu_{alnum:36}»</token>'],
    clean: ['TOKEN=pnu_{alnum:35}', 'pnu_{alnum:38}'],
  },
  'privacy-api-key': {
    secret: ['-e PRIVACY_API_KEY=«{uuid}» -p 8080:80'],
    clean: [
      'privacy_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'const privacyApiKey = await vault.read("privacy_api_key")',
    ],
  },
  'privateai-api-token': {
    secret: ['privateai.api.token=«{hex:32}»'],
    clean: ['PRIVATEAI_API_TOKEN="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'prodpad-api-key': {
    secret: ['{"name":"PRODPAD_API_KEY","value":"«{hex:64}»"}'],
    clean: ['prodpad_api_key: {hex:63}', 'prodpad_api_key = os.environ["PRODPAD_API_KEY"]'],
  },
  'proof-full-access-api-key': {
    secret: ["'proof_api_key' => '«{alnum:24}»',"],
    clean: ['PROOF_API_KEY={alnum:10}', 'const proofApiKey = await vault.read("proof_api_key")'],
  },
  'prospectcrm-api-key': {
    secret: ['docker run --env PROSPECTCRM_API_KEY="«{hex:32}»" app'],
    clean: ['PROSPECTCRM_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'protocols-io-api-key': {
    secret: ['export PROTOCOLS_IO_API_KEY=«{hex:64}»'],
    clean: ['protocols_io_api_key: {hex:65}', 'protocols_io_api_key = os.environ["PROTOCOLS_IO_API_KEY"]'],
  },
  'proxycrawl-api-key': {
    secret: ['{"proxycrawl": {"api_key": "«{word:22}»"}}'],
    clean: [
      'proxycrawl_api_key: {word:21}',
      'const proxycrawlApiKey = await vault.read("proxycrawl_api_key")',
    ],
  },
  'pubnub-publish-key': {
    secret: ['TOKEN=«pub-c-{uuid}»'],
    clean: [
      'curl -H "Authorization: Bearer pub-c-{hex:8}-{hex:4}-{hex:4}-{hex:12}" https://api.example.com/me',
      'pub-c-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
    ],
  },
  'pubnub-secret-key': {
    secret: ['curl -H "Authorization: Bearer «sec-c-{alnum:48}»" https://api.example.com/me'],
    clean: ['sec-c-{alnum:12}'],
  },
  'pubnub-subscription-key': {
    secret: ['{"auth":{"value":"«sub-c-{uuid}»"}}'],
    clean: [
      'deploy --with sub-c-{hex:8}-{hex:4}-{hex:4}-{hex:12} --yes',
      'sub-c-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}',
    ],
  },
  'pulumi-api-token': {
    secret: ['deploy --with «pul-{hex:40}» --yes'],
    clean: ['GET /v1/items?key=pul-{hex:39}&limit=5 200', 'pul-{hex:42}'],
  },
  'pushbullet-api-key': {
    secret: ['pushbullet_api_key: «o.{alnum:32}»'],
    clean: ['PUSHBULLET_API_KEY="o.{alnum:34}"', 'API_KEY=o.{alnum:32}'],
  },
  'pushover-token': {
    secret: ["const pushoverToken = '«a{lower:29}»'"],
    clean: ['pushover_token: a{lower:28}', 'pushover_token = os.environ["PUSHOVER_TOKEN"]'],
  },
  'pydantic-logfire-token': {
    secret: ['GET /v1/items?key=«pylf_v1_us_{alnum:43}»&limit=5 200'],
    clean: ['pylf_v1_us_{alnum:12}'],
  },
  'pypi-upload-token': {
    secret: ["client = Client('«pypi-AgEIcHlwaS5vcmc{word:140}»')"],
    clean: ['pypi-AgEIcHlwaS5vcmc{word:20}'],
  },
  'qase-api-key': {
    secret: ['settings.qase_api_key = "«{hex:64}»"'],
    clean: ['QASE_API_KEY="{hex:66}"', 'API_KEY={hex:64}'],
  },
  'qdrant-api-key': {
    secret: ['<add key="QdrantApiKey" value="«{uuid}|{word:54}»" />'],
    clean: ['QDRANT_API_KEY={word:30}', 'qdrant_api_key = os.environ["QDRANT_API_KEY"]'],
  },
  'qstash-signing-key': {
    secret: ['  QSTASH_SIGNING_KEY: "«sig_{alnum:28}»" # rotated in May'],
    clean: [
      'QSTASH_SIGNING_KEY=sig_{alnum:12}',
      'const qstashSigningKey = await vault.read("qstash_signing_key")',
    ],
  },
  'qualaroo-api-key': {
    secret: ['QualarooClient(qualaroo_api_key="«{alnum:62}==»")'],
    clean: ['QUALAROO_API_KEY={alnum:60}==', 'API_KEY={alnum:62}=='],
  },
  'qubole-api-key': {
    secret: ['$env:QUBOLE_API_KEY = "«{alnum:64}»"'],
    clean: ['qubole_api_key: {alnum:63}', 'qubole_api_key = os.environ["QUBOLE_API_KEY"]'],
  },
  'rabbitmq-credential': {
    secret: [
      'CLOUDAMQP_URL=amqps://app:«{word:32}»@fox.rmq.cloudamqp.com/app',
      '{"broker":"amqp://worker:«{alnum:12}»@10.0.0.7:5672//"}',
    ],
    clean: [
      'amqp://localhost:5672/',
      'amqp://${RABBIT_USER}:${RABBIT_PASS}@mq',
      'amqp://<user>:<password>@host',
    ],
  },
  'rainforest-pay-production-api-key': {
    secret: ['-e RAINFOREST_API_KEY=«apikey_{alnum:40}» -p 8080:80'],
    clean: [
      'RAINFOREST_API_KEY={alnum:12}',
      'const rainforestApiKey = await vault.read("rainforest_api_key")',
    ],
  },
  'ramp-client-id': {
    secret: ['[warn] retry with «ramp_id_{alnum:40}», attempt 2'],
    clean: ['value: ramp_id_{alnum:39}', 'ramp_id_{alnum:42}'],
  },
  'ramp-client-secret': {
    secret: ['value: «ramp_sec_{alnum:48}»'],
    clean: ['use `ramp_sec_{alnum:47}` for staging', 'ramp_sec_{alnum:50}'],
  },
  'rapidapi-access-token': {
    secret: ['rapidapi.access.token=«{alnum:50}»'],
    clean: ['RAPIDAPI_ACCESS_TOKEN="{alnum:52}"', 'API_KEY={alnum:50}'],
  },
  'rapidapi-key': {
    secret: ['headers = {"x-key": "«{hex:10}msh{hex:15}p1{hex:5}jsn{hex:12}»"}'],
    clean: ['{hex:10}msh{hex:15}p1{hex:5}', 'load mesh.msh from {hex:10}msh'],
  },
  'raven-api-key': {
    secret: ['{"name":"RAVEN_API_KEY","value":"«{upper:16}»"}'],
    clean: ['raven_api_key: {upper:17}', 'raven_api_key = os.environ["RAVEN_API_KEY"]'],
  },
  'rawg-api-key': {
    secret: ["'rawg_api_key' => '«{hex:32}»',"],
    clean: ['rawg_api_key: {hex:31}', 'const rawgApiKey = await vault.read("rawg_api_key")'],
  },
  'razorpay-api-key': {
    secret: ['use `«rzp_live_{alnum:14}»` for staging'],
    clean: ['<token>rzp_live_{alnum:13}</token>', 'rzp_live_{alnum:16}'],
  },
  'razorpay-key-secret': {
    secret: ['docker run --env RAZORPAY_KEY_SECRET="«{alnum:24}»" app'],
    clean: ['RAZORPAY_KEY_SECRET="{alnum:26}"', 'API_KEY={alnum:24}'],
  },
  'reachmail-api-key': {
    secret: ['export REACHMAIL_API_KEY=«{word:32}»'],
    clean: ['reachmail_api_key: {word:31}', 'reachmail_api_key = os.environ["REACHMAIL_API_KEY"]'],
  },
  'readme-api-token': {
    secret: ['<token>«rdme_{lower:70}»</token>'],
    clean: ['TOKEN=rdme_{lower:69}', 'rdme_{lower:72}'],
  },
  'reallysimplesystems-api-key': {
    secret: ['{"reallysimplesystems": {"api_key": "«eyJ{alnum:17}.eyJ{word:90}.{word:43}»"}}'],
    clean: [
      'REALLYSIMPLESYSTEMS_API_KEY=eyJ{alnum:17}.{word:8}',
      'REALLYSIMPLESYSTEMS_API_KEY={alnum:24}',
      'const reallysimplesystemsApiKey = await vault.read("reallysimplesystems_api_key")',
    ],
  },
  'rebrandly-api-key': {
    secret: ['rebrandly_api_key: «{hex:32}»'],
    clean: ['REBRANDLY_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'recaptcha-api-key': {
    secret: ["const recaptchaSecretKey = '«6L{word:38}»'"],
    clean: ['recaptcha_secret_key: 6L{word:37}', 'recaptcha_secret_key = os.environ["RECAPTCHA_SECRET_KEY"]'],
  },
  'redirect-pizza-api-token': {
    secret: ['curl -H "X-Redirect-Pizza-Api-Token: «rpa_{lower:40}»" https://api.example.com/v1/me'],
    clean: [
      'REDIRECT_PIZZA_API_TOKEN=rpa_{alnum:8}',
      'const redirectPizzaApiToken = await vault.read("redirect_pizza_api_token")',
    ],
  },
  'refiner-api-key': {
    secret: ['settings.refiner_api_key = "«{uuid}»"'],
    clean: ['REFINER_API_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'render-api-key': {
    secret: ['TOKEN=«rnd_{alnum:32}»'],
    clean: ['rnd_{alnum:12}', 'rnd_seed_for_each_worker_process_group'],
  },
  'rentman-api-key': {
    secret: ['<add key="RentmanApiKey" value="«eyJ{alnum:17}.eyJ{word:90}.{word:43}»" />'],
    clean: [
      'RENTMAN_API_KEY=eyJ{alnum:17}.{word:8}',
      'RENTMAN_API_KEY={alnum:24}',
      'rentman_api_key = os.environ["RENTMAN_API_KEY"]',
    ],
  },
  'replicate-api-token': {
    secret: ['curl -H "Authorization: Bearer «r8_{alnum:37}»" https://api.example.com/me'],
    clean: ['{"auth":{"value":"r8_{alnum:36}"}}', 'r8_{alnum:39}'],
  },
  'reply-io-api-key': {
    secret: ['  REPLY_IO_API_KEY: "«{word:24}»" # rotated in May'],
    clean: ['reply_io_api_key: {word:23}', 'const replyIoApiKey = await vault.read("reply_io_api_key")'],
  },
  'requestfinance-api-key': {
    secret: ['RequestfinanceClient(requestfinance_api_key="«{upper:7}-{upper:7}-{upper:7}-{upper:7}»")'],
    clean: [
      'REQUESTFINANCE_API_KEY="{upper:7}-{upper:7}-{upper:7}-{upper:9}"',
      'API_KEY={upper:7}-{upper:7}-{upper:7}-{upper:7}',
    ],
  },
  'resend-api-key': {
    secret: ['{"auth":{"value":"«re_{alnum:8}_{alnum:24}»"}}'],
    clean: ['deploy --with re_{alnum:8}_{alnum:23} --yes', 're_{alnum:8}_{alnum:26}'],
  },
  'restpack-api-key': {
    secret: ['$env:RESTPACK_API_KEY = "«{alnum:48}»"'],
    clean: ['restpack_api_key: {alnum:49}', 'restpack_api_key = os.environ["RESTPACK_API_KEY"]'],
  },
  'retool-api-token': {
    secret: ['deploy --with «retool_01{lower:24}» --yes'],
    clean: ['retool_01', 'retool_workflow_resource_identifier'],
  },
  'ritekit-api-key': {
    secret: ['-e RITEKIT_API_KEY=«{hex:44}» -p 8080:80'],
    clean: ['ritekit_api_key: {hex:43}', 'const ritekitApiKey = await vault.read("ritekit_api_key")'],
  },
  'roboflow-api-key': {
    secret: ['roboflow.api.key=«{alnum:20}»'],
    clean: ['ROBOFLOW_API_KEY="{alnum:22}"', 'API_KEY={alnum:20}'],
  },
  'rocketreach-api-key': {
    secret: ['{"name":"ROCKETREACH_API_KEY","value":"«{lower:7}-{lower:31}»"}'],
    clean: ['ROCKETREACH_API_KEY={lower:30}', 'rocketreach_api_key = os.environ["ROCKETREACH_API_KEY"]'],
  },
  'rockset-api-key': {
    secret: ["'rockset_api_key' => '«{alnum:64}»',"],
    clean: ['rockset_api_key: {alnum:65}', 'const rocksetApiKey = await vault.read("rockset_api_key")'],
  },
  'rollbar-access-token': {
    secret: ['docker run --env ROLLBAR_ACCESS_TOKEN="«{hex:32}»" app'],
    clean: ['ROLLBAR_ACCESS_TOKEN="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'rootly-api-key': {
    secret: ['GET /v1/items?key=«rootly_{hex:64}»&limit=5 200'],
    clean: ["client = Client('rootly_{hex:63}')", 'rootly_{hex:66}'],
  },
  'route4me-api-key': {
    secret: ['export ROUTE4ME_API_KEY=«{HEX:32}»'],
    clean: ['route4me_api_key: {HEX:33}', 'route4me_api_key = os.environ["ROUTE4ME_API_KEY"]'],
  },
  'rubygems-api-token': {
    secret: ["client = Client('«rubygems_{hex:48}»')"],
    clean: ['[warn] retry with rubygems_{hex:47}, attempt 2', 'rubygems_{hex:50}'],
  },
  'runpod-api-key': {
    secret: ['[warn] retry with «rpa_{upper:46}», attempt 2'],
    clean: ['rpa_{upper:20}', 'rpa_bot_runner_start_parameters_for_queue'],
  },
  'runway-api-key': {
    secret: ['{"runway": {"api_key": "«key_{hex:128}»"}}'],
    clean: ['runway_api_key: key_{hex:127}', 'const runwayApiKey = await vault.read("runway_api_key")'],
  },
}
